/** A color of the theme as it is where an element stands: `rgb(…)` or `rgba(…)`, for what is drawn by hand. */
export function themeColor(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  return getComputedStyle(element).color
}
