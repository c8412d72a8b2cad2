import type { ColumnId } from '../columns/layout.ts'
import { exportAddress, exportQuery } from '../export-query.ts'
import type { ListSearch } from '../list-search.ts'
import type { Selection } from './selection.ts'

/**
 * Saves the patients who are selected as a CSV file, with the columns that the list shows. All that match may be a million, and the browser
 * writes them to the disk as they come; those chosen one by one are few, and are asked for here, so that a refusal can be said.
 */
export async function saveSelection(selection: Selection, search: ListSearch, shown: readonly ColumnId[]): Promise<void> {
  if (selection.matching) return save(`${exportAddress}?${exportQuery(search, shown)}`, '')
  const form = exportQuery({ sort: search.sort }, shown)
  form.set('ids', [...selection.ids].join(','))
  const answer = await fetch(exportAddress, { method: 'POST', body: form }).catch(() => null)
  if (!answer) throw new Error('The connection was lost. Please try again.')
  if (!answer.ok) throw new Error(await reasonOf(answer))
  const file = URL.createObjectURL(await answer.blob())
  save(file, /''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'patients.csv')
  URL.revokeObjectURL(file)
}

/** Without a name, the server's own. */
function save(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}

async function reasonOf(answer: Response): Promise<string> {
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  return answer.status < 500 && message ? message : 'Something went wrong. Please try again.'
}
