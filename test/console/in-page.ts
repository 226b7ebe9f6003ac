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

/**
 * Numbers the controls that the Tab key should reach, describes them, and marks each once it has the focus: it is `reached`,
 * and `unseen` if it looks as before.
 */
export const NUMBER_CONTROLS = `(() => {
  const lookOf = ${LOOK_OF};
  addEventListener('focusin', ({ target: { dataset }, target }) => {
    if (dataset.control) dataset.focus = lookOf(target) === dataset.look ? 'unseen' : 'reached';
  });
  const found = document.querySelectorAll(
    'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]',
  );
  const visible = [...found].filter((element) => element.tabIndex >= 0 && element.checkVisibility());
  for (const [index, element] of visible.entries())
    Object.assign(element.dataset, { control: String(index), look: lookOf(element) });
  return visible.map((element) => element.outerHTML.slice(0, 120));
})()`;

const numbersOf = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].map(({ dataset }) => dataset.control)`;

/** The numbers of the controls in the page that have not had the focus. */
export const MISSED_CONTROLS = numbersOf('[data-control]:not([data-focus])');

/** The numbers of the controls whose focus is not visible. */
export const UNSEEN_FOCUS = numbersOf('[data-focus="unseen"]');

/**
 * What the page shows, by name: the figures, and the counts of lists under the title of their panel, such as
 * `Funnel/Created`.
 */
export const SHOWN_FIGURES = `(() => {
  const found = {};
  for (const figure of document.querySelectorAll('.figure'))
    found[figure.querySelector('dt').textContent.trim()] = figure.querySelector('.figure-value').textContent;
  for (const item of document.querySelectorAll('section li:not(:has(li))')) {
    const [label, count] = [item.querySelector('.muted'), item.querySelector('b')];
    if (!label || !count) continue;
    const title = item.closest('section').querySelector('h2').textContent;
    found[title + '/' + label.textContent.trim()] = count.textContent;
  }
  return found;
})()`;
