import { type SQL, sql } from 'drizzle-orm'
import { columnId, columnsOf, fieldOf } from '../derived-fields.ts'
import { type ExportedField, exportedFields } from '../file-fields.ts'
import { contacts } from '../table.ts'

interface FileColumn {
  label: string
  /** The text of a cell; a function of the practice's time zone if it depends on it. */
  value: SQL | ((timeZone: string) => SQL)
}

type Key = keyof typeof contacts.$inferSelect
const plain = (key: Key): SQL => sql`contacts.${sql.identifier(contacts[key].name)}`
const joined = (key: Key): SQL => sql`array_to_string(${plain(key)}, '; ')`
/** In the practice's time zone, as every screen shows it. */
const instant = (key: Key) => (timeZone: string) => sql`to_char(${plain(key)} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI')`
const nameIn = (table: string, name: string, key: Key, orElse = sql`null`): SQL =>
  sql`coalesce((select ${sql.identifier(name)} from ${sql.identifier(table)} as named where named.id = ${plain(key)}), ${orElse})`
const labelled = (key: Key, options: Readonly<Record<string, string>>): SQL =>
  sql`coalesce(${JSON.stringify(options)}::jsonb->>${plain(key)}, ${plain(key)})`

/** The cell value of a field. An import recognizes both labels and values. */
function valueOf(name: ExportedField): FileColumn['value'] {
  const { control } = fieldOf(name)
  const [key, text] = columnsOf(name)
  switch (control.kind) {
    case 'choice':
      return labelled(key, control.options)
    case 'day':
      return sql`${plain(key)}::text`
    case 'tick':
      return sql`case when ${plain(key)} then 'yes' else 'no' end`
    case 'amount':
      return sql`(${plain(key)}::numeric / 100)::numeric(14, 2)::text`
    case 'moment':
      return instant(key)
    case 'emails':
    case 'phones':
      return joined(key)
    case 'stage':
      return nameIn('funnel_stages', 'name', key)
    case 'vocabulary':
      return nameIn(control.list === 'sources' ? 'lead_sources' : 'procedures', 'name', key, text && plain(text))
    case 'staff':
      return nameIn('profiles', 'full_name', key)
    default:
      return plain(key)
  }
}

const tags: FileColumn = {
  label: 'Tags',
  value: sql`(select string_agg(tags.name, '; ' order by fold(tags.name)) from contact_tags join tags on tags.id = tag_id where contact_id = contacts.id)`,
}
const added: FileColumn = { label: 'Added', value: instant('createdAt') }

export type ExportColumn = ReturnType<typeof columnId<ExportedField>> | 'tags' | 'added'

/** The columns that can be exported, in file order. */
export const exportColumns = Object.fromEntries([
  ...exportedFields.flatMap((name): [string, FileColumn][] => {
    const column: [string, FileColumn] = [columnId(name), { label: fieldOf(name).label, value: valueOf(name) }]
    return name === 'assignedProviderId' ? [column, ['tags', tags]] : [column]
  }),
  ['added', added],
]) as Record<ExportColumn, FileColumn>

/** The cells of a line, as JSON, which Node reads several times as fast as a text array. */
export function cellsOf(columns: readonly ExportColumn[], timeZone: string): SQL {
  const values = columns.map((id) => {
    const { value } = exportColumns[id]
    return sql`coalesce(${typeof value === 'function' ? value(timeZone) : value}, '')`
  })
  return sql`to_json(array[${sql.join(values, sql`, `)}]::text[])`
}
