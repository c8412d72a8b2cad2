const name = String.raw`((?:"?[a-z_][a-z0-9_]{0,62}"?\.)?"?[a-z_][a-z0-9_]{0,62}"?)`
const operations = /^\s*(?:--.*\n\s*)*([a-z]+)/i
/** After `from` or `join`, a name with a parenthesis is a function. */
const tables = new RegExp(
  String.raw`\b(?:(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?${name}|(?:from|join)\s+(?:only\s+)?${name}(?![\w".]|\s*\())`,
  'i',
)
const known = /^(?:select|insert|update|delete|with|begin|commit|rollback|savepoint|release|set|lock|copy|declare|fetch|listen|notify)$/

/** The kind of a statement and its first table, for traces: names from our code, never a value. `table`: null if it has none. */
export function describeStatement(text: string): { operation: string; table: string | null } {
  const first = operations.exec(text)?.[1]?.toLowerCase() ?? ''
  const [, written, read] = tables.exec(text) ?? []
  return { operation: known.test(first) ? first : 'other', table: (written ?? read)?.replaceAll('"', '') ?? null }
}
