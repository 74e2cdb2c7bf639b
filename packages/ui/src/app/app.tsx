import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { createQueryClient } from "../api/queries.ts";
import type { Messages } from "../i18n/en.ts";
import { keepLanguage, type Language, LanguageProvider, loadMessages } from "../i18n/language.tsx";
import { SignIn } from "../session/sign-in.tsx";
import { useSession } from "../session/token.ts";
import { createPageRouter } from "./router.tsx";

interface Spoken {
  readonly language: Language;
  readonly messages: Messages;
}

/** The whole page: in one language, signed in or not. */
export function App({ first }: { readonly first: Spoken }) {
  const [spoken, setSpoken] = useState(first);
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken.language]);
  const switchLanguage = async (language: Language) => {
    const messages = await loadMessages(language);
    keepLanguage(language);
    setSpoken({ language, messages });
  };
  return (
    <LanguageProvider {...spoken} onSwitch={switchLanguage}>
      <SignedIn />
    </LanguageProvider>
  );
}

/** The views behind the sign-in. Another token starts with an empty cache: it may see something else. */
function SignedIn() {
  const { token } = useSession();
  return token === null ? <SignIn /> : <Views key={token} />;
}

function Views() {
  const [client] = useState(createQueryClient);
  const [router] = useState(createPageRouter);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
