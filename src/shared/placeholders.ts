/** Without braces inside, so that of nested ones the innermost pair is the variable, and a search never looks at a character twice. */
const placeholder = /\{\{([^{}]+)\}\}/g

/**
 * Replaces all double-brace variables at once, so a value that contains `{{email}}` or `$&` stays as it is. A variable without a value
 * (undefined) stays as typed.
 */
export const fillPlaceholders = (template: string, valueOf: (name: string) => string | undefined): string =>
  template.replace(placeholder, (whole, inner: string) => valueOf(inner.trim()) ?? whole)

/** The variables in a text, once each, in order of first use. */
export function placeholdersIn(template: string): string[] {
  const names = Array.from(template.matchAll(placeholder), ([, inner]) => inner!.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}
