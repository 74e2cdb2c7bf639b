/**
 * Makes the headers of `table[data-sortable]` buttons that sort by the cells' `data-v`. Without it the table is complete,
 * in the report's order. Constant, because the page's policy names its hash.
 */
export const SORT_SCRIPT = `
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, column) => row.cells[column].dataset.v;
  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    return isNaN(a) || isNaN(b) ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.ariaSort = down ? "descending" : "ascending";
      const rows = [...body.rows].sort((x, y) => {
        const a = valueOf(x, column);
        const b = valueOf(y, column);
        return a === "" || b === "" || !down ? compare(a, b) : compare(b, a);
      });
      body.append(...rows);
    });
  });
}
`;
