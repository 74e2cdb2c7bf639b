import { useSpeech } from "../i18n/language.tsx";
import { BASE_FIELDS, DYNAMIC_FIELDS, LABEL_FIELDS } from "./record-fields.ts";
import { RecordValue } from "./record-value.tsx";

/** The flat inventory record by its three layers, each field with its name in exports and the API. */
export function RecordSection({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  const { t } = useSpeech();
  return (
    <section className="part" aria-labelledby="record">
      <h2 id="record">{t.cluster.record}</h2>
      <div className="layers">
        <Layer title={t.cluster.base} fields={BASE_FIELDS} record={record} />
        <Layer title={t.cluster.dynamic} fields={DYNAMIC_FIELDS} record={record} />
        <Layer title={t.cluster.label} fields={LABEL_FIELDS} record={record} />
      </div>
    </section>
  );
}

function Layer(props: {
  readonly title: string;
  readonly fields: readonly string[];
  readonly record: Readonly<Record<string, unknown>>;
}) {
  const { t } = useSpeech();
  return (
    <section className="tile">
      <h3>{props.title}</h3>
      <dl className="facts">
        {props.fields.map((field) => (
          <div key={field} data-field={field}>
            <dt title={field}>{t.cluster.fields[field] ?? field}</dt>
            <dd>
              <RecordValue field={field} value={props.record[field]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
