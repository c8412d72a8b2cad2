import { Column, getTableName, is, SQL } from 'drizzle-orm'

type Decoder = { mapFromDriverValue: (value: unknown) => unknown }
type Field = { path: string[]; field: unknown }
/** The parts of the library's prepared statement that turn its rows into objects. */
type Mapped = {
  fields?: Field[]
  joinsNotNullableMap?: Record<string, boolean>
  customResultMapper?: (rows: unknown[][]) => unknown[]
}

/** The decoder of columns whose values stay as the driver returns them. */
const identity = (Column.prototype as unknown as Decoder).mapFromDriverValue

function decoderOf(field: unknown): Decoder | null {
  const decoder = is(field, Column)
    ? (field as unknown as Decoder)
    : is(field, SQL)
      ? (field as unknown as { decoder: Decoder }).decoder
      : null
  if (decoder) return decoder.mapFromDriverValue === identity ? null : decoder
  return decoderOf((field as { sql: unknown }).sql)
}

/**
 * For an object that is null in rows without a match, because all its columns are of a table that is joined from outside: the index of its first
 * column, which is null there. Null for other objects.
 */
function outerJoined(fields: readonly Field[], group: string, joinsNotNullableMap: Record<string, boolean>): number | null {
  const columns = fields.flatMap(({ path, field }, index) => (path[0] === group && is(field, Column) ? [{ index, field }] : []))
  const [table, ...others] = new Set(columns.map(({ field }) => getTableName(field.table)))
  const isOuter = table !== undefined && others.length === 0 && !joinsNotNullableMap[table]
  return isOuter ? columns[0]!.index : null
}

/**
 * Decides once per statement what the library decides for each value of each row: into which object it belongs and how it is decoded. Reading a
 * page of a list takes half as long.
 */
export function compileRows<Statement>(statement: Statement): Statement {
  const { fields, joinsNotNullableMap, customResultMapper } = statement as Mapped
  if (!fields || customResultMapper) return statement
  if (fields.some(({ path }) => path.length > 2)) return statement
  const columns = fields.map(({ path, field }) => ({
    group: path.length === 2 ? path[0]! : null,
    key: path.at(-1)!,
    decoder: decoderOf(field),
  }))
  const groups = [...new Set(columns.flatMap(({ group }) => group ?? []))]
  const nullable = groups.flatMap((group) => {
    const first = joinsNotNullableMap ? outerJoined(fields, group, joinsNotNullableMap) : null
    return first === null ? [] : [{ group, first }]
  })
  ;(statement as Mapped).customResultMapper = (rows) =>
    rows.map((row) => {
      const result: Record<string, unknown> = {}
      for (const group of groups) result[group] = {}
      for (let i = 0; i < columns.length; i++) {
        const { group, key, decoder } = columns[i]!
        const value = row[i]
        const target = group === null ? result : (result[group] as Record<string, unknown>)
        target[key] = value === null || decoder === null ? value : decoder.mapFromDriverValue(value)
      }
      for (const { group, first } of nullable) if (row[first] === null) result[group] = null
      return result
    })
  return statement
}
