import { Fragment } from "react";

/** A version, node or cluster name that may be broken after its separators instead of anywhere. */
export function Breakable({ text }: { readonly text: string }) {
  const parts = text.split(/(?<=[-+/@:_])/);
  let at = 0;
  return parts.map((part, index) => {
    at += part.length;
    return (
      <Fragment key={at}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    );
  });
}
