"use strict";
(() => {
  const page = JSON.parse(document.getElementById("page-data").textContent);
  const byId = (id) => document.getElementById(id);

  // Tables: sorting and filters

  function key(cell) {
    const text = cell.dataset.sort ?? cell.textContent.trim();
    if (text === "") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text.toLowerCase() : number;
  }

  function compare(a, b) {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  }

  function sortBy(header) {
    const body = header.closest("table").tBodies[0];
    const column = [...header.parentNode.children].indexOf(header);
    const sign = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of header.parentNode.children) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => {
      // What has no value comes last, whichever way the others go.
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * compare(a, b);
    });
    body.append(...rows.map(([, row]) => row));
  }

  function filterRows(input) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const table of byId(input.dataset.filters).querySelectorAll("table.sortable")) {
      const rows = [...table.tBodies[0].rows];
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      if (table.closest("[hidden]")) continue;
      const left = rows.filter((row) => !row.hidden).length;
      input.nextElementSibling.textContent = words.length ? `${left} of ${rows.length} shown` : "";
    }
  }

  for (const button of document.querySelectorAll("table.sortable thead button")) {
    button.addEventListener("click", () => sortBy(button.parentNode));
  }
  for (const input of document.querySelectorAll("input[data-filters]")) {
    input.addEventListener("input", () => filterRows(input));
  }

  // Every table as a file

  function asCsv(table) {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const cells = (row) => [...row.cells].map((cell) => quoted(cell.textContent.trim()));
    return [...table.rows].map((row) => cells(row).join(",")).join("\r\n") + "\r\n";
  }

  for (const table of document.querySelectorAll("main table")) {
    const button = document.createElement("button");
    const title = table.getAttribute("aria-label") || table.closest("section")?.querySelector("h2")?.textContent || "table";
    button.type = "button";
    button.className = "save";
    button.textContent = "Save as CSV";
    button.setAttribute("aria-label", `Save as CSV: ${title}`);
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(["\ufeff", asCsv(table)], { type: "text/csv" }));
      link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").slice(0, 40)}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    (table.closest(".scroll") ?? table).after(button);
  }

  // One measure of a study at a time

  const measure = byId("measure");

  function showMeasure() {
    document.querySelectorAll(".measure").forEach((part, at) => {
      part.hidden = at !== Number(measure.value);
    });
    filterRows(byId("criteria"));
  }

  if (measure) {
    measure.addEventListener("change", showMeasure);
    showMeasure();
  }

  // Charts

  const options = {
    mode: "vega-lite",
    renderer: "svg",
    ast: true, // expressions are interpreted: the page forbids code made of text
    actions: { export: true, source: false, compiled: false, editor: false },
  };

  async function draw(id) {
    if (!byId(id) || !page.charts[id]) return null;
    const spec = { ...page.charts[id] };
    spec.datasets = { ...spec.datasets, ...page.data };
    const { view } = await window.vegaEmbed(`#${id}`, spec, options);
    return view;
  }

  const inside = (value, [a, b]) => value >= Math.min(a, b) && value <= Math.max(a, b);
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  async function drawPoints() {
    const [plane, bars] = await Promise.all([draw("plane"), draw("bars")]);
    const views = [plane, bars].filter(Boolean);
    if (!views.length) return;
    const chooser = byId("cluster");
    let box = null;
    let cluster = null;

    function tell() {
      if (box === null && cluster === null) {
        byId("chosen").textContent = "";
        return;
      }
      const points = page.data.points.filter(
        (p) => (cluster === null || p.cluster === cluster) && (box === null || (inside(p.x, box.x) && inside(p.y, box.y))),
      );
      const rows = points.map((p) => p.row).sort(compare);
      const some = rows.slice(0, 12).join(", ") + (rows.length > 12 ? ", …" : "");
      const fits = points.map((p) => p.fit).filter((f) => f !== undefined);
      const mean = fits.length ? `; mean ${page.fit.toLowerCase()} ${(fits.reduce((a, b) => a + b, 0) / fits.length).toFixed(3)}` : "";
      byId("chosen").textContent = `${plural(points.length, "point")} chosen${mean}${rows.length ? `; rows ${some}` : ""}`;
    }

    chooser.addEventListener("change", () => {
      cluster = chooser.value === "" ? null : page.clusters[Number(chooser.value)];
      for (const view of views) view.signal("cluster", cluster).runAsync();
      tell();
    });
    if (plane) {
      plane.addSignalListener("brush", (_name, value) => {
        box = value && value.x && value.y ? { x: value.x, y: value.y } : null;
        if (bars) bars.signal("box", box).runAsync();
        tell();
      });
    }
  }

  async function drawCurve() {
    const curve = await draw("curve");
    if (!curve) return;
    const chooser = byId("index");
    const tell = () => {
      byId("reading").textContent = page.readings[chooser.value] ?? "";
    };
    chooser.addEventListener("change", () => {
      curve.signal("index", chooser.value).runAsync();
      tell();
    });
    tell();
  }

  Promise.all([drawPoints(), drawCurve()]).then(() => document.documentElement.setAttribute("data-ready", ""));
})();
