import { saveBlob } from '../../../../../ui/client/save-blob.ts'
import { saveFile } from '../../../../../ui/client/save-file.ts'
import { sendProving } from '../../../../../ui/client/step-up.ts'
import type { ColumnId } from '../columns/layout.ts'
import { exportAddress, exportQuery } from '../export-query.ts'
import type { ListSearch } from '../../embed/list-search.ts'
import type { Selection } from './selection.ts'

/**
 * Saves the patients who are selected as a CSV file, with the columns that the list shows. All that match may be a million, and the browser
 * writes them to the disk as they come; those chosen one by one are few, and are asked for here, so that a refusal can be said.
 */
export async function saveSelection(selection: Selection, search: ListSearch, shown: readonly ColumnId[]): Promise<void> {
  if (selection.matching) return void (await saveFile(`${exportAddress}?${exportQuery(search, shown)}`))
  const form = exportQuery({ sort: search.sort }, shown)
  form.set('ids', [...selection.ids].join(','))
  const asked = new Request(new URL(exportAddress, location.origin), { method: 'POST', body: form })
  const answer = await sendProving('contacts.export', asked, (request) => fetch(request)).catch(() => null)
  if (!answer) throw new Error('The connection was lost. Please try again.')
  if (!answer.ok) throw new Error(await reasonOf(answer))
  const name = /''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'patients.csv'
  saveBlob(await answer.blob(), name)
}

async function reasonOf(answer: Response): Promise<string> {
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  return answer.status < 500 && message ? message : 'Something went wrong. Please try again.'
}
