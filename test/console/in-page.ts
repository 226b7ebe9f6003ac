// Scripts that run in the page. They are text, because the types of the repository are those of Node.

/** How many pixels the page is wider than its window. */
export const EXCESS_WIDTH = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** The texts of the labels of filters that need more than one line. */
export const WRAPPED_LABELS = `[...document.querySelectorAll('.filters label')].flatMap((label) => {
  const range = document.createRange();
  range.selectNodeContents(label);
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
  return lines.size > 1 ? [label.textContent] : [];
})`;

const LOOK_OF = `(element) => {
  const { outline, boxShadow, borderColor } = getComputedStyle(element);
  return [outline, boxShadow, borderColor].join(' ');
}`;

/** Numbers the controls that the Tab key should reach, remembers how each looks, and describes them. */
export const NUMBER_CONTROLS = `(() => {
  const lookOf = ${LOOK_OF};
  const found = document.querySelectorAll(
    'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]',
  );
  const visible = [...found].filter((element) => element.tabIndex >= 0 && element.checkVisibility());
  for (const [index, element] of visible.entries())
    Object.assign(element.dataset, { control: String(index), look: lookOf(element) });
  return visible.map((element) => element.outerHTML.slice(0, 120));
})()`;

/** The number of the control that has the focus, and whether it looks different from before. */
export const FOCUSED_CONTROL = `(() => {
  const { control, look } = document.activeElement.dataset;
  return [control ?? null, look !== (${LOOK_OF})(document.activeElement)];
})()`;
