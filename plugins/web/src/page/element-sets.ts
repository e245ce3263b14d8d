// Elements of HTML by what the reading of a page does with them. Names are lower case.

/** Have no end tag. */
export const VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Go with all they hold: nothing of them is text of the page. */
export const DROPPED = new Set(
  "script style noscript template svg iframe frame frameset object embed applet canvas audio video map select button textarea dialog datalist head noembed noframes".split(
    " ",
  ),
);

/** Begin and end a line of their own. */
export const BLOCK = new Set(
  "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot th thead title tr ul".split(
    " ",
  ),
);

/** What an open element ends before it begins, where its end tag was left out. */
export const ENDS_BEFORE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    li: ["li"],
    dt: ["dt", "dd"],
    dd: ["dt", "dd"],
    tr: ["td", "th", "tr"],
    td: ["td", "th"],
    th: ["td", "th"],
    tbody: ["td", "th", "tr", "thead", "tbody"],
    tfoot: ["td", "th", "tr", "thead", "tbody"],
    ...Object.fromEntries(
      "address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul"
        .split(" ")
        .map((name) => [name, ["p"]]),
    ),
  }).map(([name, ended]) => [name, new Set(ended)]),
);
