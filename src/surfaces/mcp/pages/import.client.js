// What an import would do, column by column, and the button that does it.
{
  const { element, call, start } = host
  const main = document.querySelector("main")

  const button = (text, onclick, className = "") =>
    element("button", { type: "button", textContent: text, onclick, className })
  const list = (title, texts) =>
    texts.length > 0
      ? element("section", {}, element("h2", {}, title), element("ul", {}, ...texts))
      : undefined
  const line = (text) => element("li", {}, text)

  function counts({ created = 0, merged = 0, skipped = 0, rejected = 0 }, isDone) {
    const texts = [
      [created, isDone ? "created" : "to create"],
      [merged, isDone ? "merged" : "to merge"],
      [skipped, "skipped"],
      [rejected, "rejected"],
    ]
    return element(
      "p",
      { className: "counts" },
      texts.map(([count, what]) => `${count.toLocaleString("en")} ${what}`).join(", "),
    )
  }

  function columns(all) {
    const head = ["Column", "Field", "Example", "Filled"].map((text) => element("th", { scope: "col" }, text))
    const rows = all.map(({ column, target, example, filled }) =>
      element(
        "tr",
        { className: target ? "" : "differs" },
        ...[column, target ?? "unmatched", example ?? "", filled ?? ""].map((value) =>
          element("td", {}, String(value)),
        ),
      ),
    )
    return element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    )
  }

  async function go(args) {
    main.querySelector(".choices")?.replaceChildren(element("p", { role: "status" }, "Working ..."))
    const { dry_run: _, ...rest } = args
    render(await call("import_leads", rest), rest)
  }

  function choices({ id, plan, dry_run, undo }, args) {
    if (plan && args.undo) return [button("Take the import back", () => go({ ...args, plan }), "main")]
    if (plan) return [button("Import", () => go({ ...args, plan }), "main")]
    if (dry_run) return [button("Import ...", () => go(args))]
    return id && !undo ? [button("Undo", () => go({ undo: id }))] : []
  }

  function render(answer, args) {
    if (answer.error) return main.replaceChildren(element("p", { role: "alert" }, answer.error))
    const { columns: all = [], errors = [], warnings = [], plan, dry_run } = answer
    const isDone = !plan && !dry_run
    const took = isDone && args.undo !== undefined
    const parts = [
      took || args.undo ? undefined : counts(answer, isDone),
      took ? element("p", { role: "status" }, "The import was taken back") : undefined,
      args.undo && plan ? element("p", {}, `${answer.matched} leads would be restored`) : undefined,
      all.length > 0 ? columns(all) : undefined,
      list(
        "Warnings",
        warnings.slice(0, 20).map((one) => line(one.message ?? String(one))),
      ),
      list(
        "Rejected",
        errors.slice(0, 20).map(({ row, message }) => line(`${row ? `Row ${row}: ` : ""}${message}`)),
      ),
      element("div", { className: "choices" }, ...(took ? [] : choices(answer, args))),
    ]
    main.replaceChildren(...parts.filter((part) => part !== undefined))
  }

  start(render)
}
