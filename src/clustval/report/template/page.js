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

  // Every table and every chart as a file, and wide tables that say so

  function saver(text, title, ending, type, content) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = text;
    button.setAttribute("aria-label", `${text}: ${title}`);
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(content(), { type }));
      link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").slice(0, 40)}.${ending}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    return button;
  }

  function asCsv(table) {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const cells = (row) =>
      [...row.cells].filter((cell) => !cell.matches("[aria-hidden], .range")).map((cell) => quoted(cell.textContent.trim()));
    return [...table.rows].map((row) => cells(row).join(",")).join("\r\n") + "\r\n";
  }

  for (const table of document.querySelectorAll("main table")) {
    const title = table.getAttribute("aria-label") || "Indices";
    const button = saver("Save as CSV", title, "csv", "text/csv", () => ["\ufeff", asCsv(table)]);
    const place = table.closest(".scroll") ?? table;
    (place.nextElementSibling?.matches(".note") ? place.nextElementSibling : place).after(button);
  }

  function asSvg(drawing) {
    const copy = drawing.cloneNode(true);
    const box = drawing.getBoundingClientRect();
    const style = getComputedStyle(document.body);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    copy.setAttribute("style", `color: ${style.color}; background: ${style.backgroundColor}`);
    return copy.outerHTML;
  }

  function offerSvg(place, title, drawing) {
    place.append(saver("Save as SVG", title, "svg", "image/svg+xml", () => [asSvg(drawing())]));
  }

  for (const drawing of document.querySelectorAll("svg.drawn")) {
    const figure = drawing.closest("figure");
    if (figure.querySelector("svg.drawn") === drawing) offerSvg(figure, figure.querySelector("figcaption").textContent, () => drawing);
  }

  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const region = target.closest(".scroll");
      if (region.scrollWidth > region.clientWidth + 1) region.setAttribute("tabindex", "0");
      else region.removeAttribute("tabindex"); // what does not scroll needs no stop of the tab key
    }
  });
  for (const part of document.querySelectorAll(".scroll, .scroll > table")) watch.observe(part);

  // What is folded on the screen is open on paper

  const folded = [...document.querySelectorAll("details.on-paper")];
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = folded.filter((part) => !part.open);
    for (const part of opened) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
    opened = [];
  });

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
    actions: false,
  };

  async function draw(id) {
    if (!byId(id) || !page.charts[id]) return null;
    const spec = { ...page.charts[id] };
    spec.datasets = { ...spec.datasets, ...page.data };
    if (id === "plane" && page.shape) {
      spec.height = Math.round(Math.min(spec.height, Math.max(200, 0.85 * page.shape * byId(id).clientWidth)));
    }
    if (byId(id).clientWidth < 480) {
      const short = (page.clusters ?? []).every((name) => name.length < 8);
      const legend = { ...spec.config.legend, orient: "bottom", columns: short ? 4 : 1 };
      spec.config = { ...spec.config, legend };
    }
    const place = byId(id).appendChild(document.createElement("div"));
    place.setAttribute("aria-hidden", "true"); // the words of the chart stand for it
    const { view } = await window.vegaEmbed(place, spec, options);
    const figure = byId(id).closest("figure");
    const title = figure.querySelector("figcaption")?.textContent ?? byId(id).getAttribute("aria-label");
    offerSvg(figure, title, () => byId(id).querySelector("svg"));
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
      // A name at the middle of a cluster shows the cluster while the mouse is over it.
      const show = (name) => {
        for (const view of views) view.signal("cluster", name).runAsync();
      };
      plane.addEventListener("mouseover", (_event, item) => {
        if (item?.mark?.marktype === "text" && page.clusters.includes(item.datum?.cluster)) show(item.datum.cluster);
      });
      plane.addEventListener("mouseout", (_event, item) => {
        if (item?.mark?.marktype === "text") show(cluster);
      });
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

  Promise.all([drawPoints(), drawCurve(), draw("gap"), draw("stability"), draw("nulls")]).then(() => document.documentElement.setAttribute("data-ready", ""));
})();
