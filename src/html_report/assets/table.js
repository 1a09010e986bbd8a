// Tables that are sorted by their headings' buttons and filtered by words.

/**
 * `columns`: title, unit, about (told by a tooltip), digits (of numbers; undefined = texts). `rows`: values by column.
 * `changed(order)` is called with the numbers of the rows that are left, in their order.
 */
class SortableTable {
  constructor(columns, rows, changed) {
    Object.assign(this, { columns, rows, changed, by: null, descending: false, words: [] });
    this.lines = rows.map((row) => element("tr", {}, ...row.map((value, i) => this.cell(value, columns[i]))));
    this.texts = rows.map((row) => row.filter((value) => typeof value === "string").join(" ").toLowerCase());
    this.headings = columns.map((column, i) => this.heading(column, i));
    this.body = element("tbody");
    this.table = element("table", { class: "sortable" },
      element("thead", {}, element("tr", {}, ...this.headings)), this.body);
    this.filter = element("input", { type: "search", placeholder: "words, -others", oninput: () => this.filterBy(this.filter.value) });
    this.order = rows.map((_, i) => i);
    this.body.append(...this.lines);
  }
  cell(value, column) {
    const isNumber = column.digits !== undefined;
    return element("td", { class: isNumber ? "number" : null }, isNumber ? written(value, column.digits) : value);
  }
  heading(column, i) {
    const button = element("button", { type: "button", title: column.about || null, onclick: () => this.sortBy(i) }, column.title,
      column.unit ? element("small", {}, ` ${column.unit}`) : null);
    return element("th", { scope: "col", class: column.digits === undefined ? null : "number", "aria-sort": "none" }, button);
  }
  sortBy(column) {
    this.descending = this.by === column ? !this.descending : this.columns[column].digits !== undefined && column > 0;
    this.by = column;
    this.headings.forEach((heading, i) =>
      heading.setAttribute("aria-sort", i !== column ? "none" : this.descending ? "descending" : "ascending"));
    this.show();
  }
  filterBy(text) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.show();
  }
  matches(row) {
    return this.words.every((word) =>
      word.length > 1 && word[0] === "-" ? !this.texts[row].includes(word.slice(1)) : this.texts[row].includes(word));
  }
  /** What is not known comes last, whichever way is sorted. */
  compare(one, other) {
    const a = this.rows[one][this.by], b = this.rows[other][this.by];
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
    return this.descending ? -order : order;
  }
  show() {
    this.order = this.rows.map((_, i) => i).filter((row) => this.matches(row));
    if (this.by !== null) this.order.sort((one, other) => this.compare(one, other));
    this.body.replaceChildren(...this.order.map((row) => this.lines[row]));
    this.changed(this.order);
  }
  mark(rows) {
    const marked = new Set(rows);
    this.lines.forEach((line, row) => line.classList.toggle("is-shown", marked.has(row)));
  }
}
