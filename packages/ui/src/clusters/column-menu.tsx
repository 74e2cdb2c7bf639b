import { useSpeech } from "../i18n/language.tsx";
import { Menu, MenuChoice } from "../parts/menu.tsx";
import { CLUSTER_COLUMNS, type ClusterSearch, columnsText, shownColumns } from "./cluster-search.ts";

/** Which columns the table shows; the name always. */
export function ColumnMenu(props: {
  readonly search: ClusterSearch;
  readonly onChange: (change: Partial<ClusterSearch>) => void;
}) {
  const { t } = useSpeech();
  const shown = shownColumns(props.search);
  return (
    <Menu label={t.clusters.columns} icon="columns">
      <fieldset>
        <legend>{t.clusters.columns}</legend>
        {CLUSTER_COLUMNS.map((column) => (
          <MenuChoice
            key={column}
            checked={shown.has(column)}
            disabled={column === "name"}
            onChange={(on) => {
              const next = new Set(shown);
              if (on) next.add(column);
              else next.delete(column);
              // The order and the page stay: only what is shown of a row changes.
              props.onChange({ cols: columnsText(next), page: props.search.page, at: props.search.at });
            }}
          >
            <span className="choice-name">{t.clusters.column[column]}</span>
          </MenuChoice>
        ))}
      </fieldset>
    </Menu>
  );
}
