import { downloadBlob } from '../../../../../ui/client/download-blob.ts'
import { hasMessage } from '../../../../../ui/client/refusal.ts'
import { saveFile } from '../../../../../ui/client/save-file.ts'
import { sendProving } from '../../../../../ui/client/step-up.ts'
import type { ColumnId } from '../columns/layout.ts'
import { exportAddress, exportQuery } from '../export-query.ts'
import type { ListSearch } from '../../embed/list-search.ts'
import type { Selection } from './selection.ts'

/**
 * Saves the selected patients as a CSV file with the shown columns. All matches may be a million, so the browser streams them to disk;
 * individually selected patients are few and are fetched here, so that an error can be shown.
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
  downloadBlob(await answer.blob(), name)
}

async function reasonOf(answer: Response): Promise<string> {
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  return hasMessage(answer.status) && message ? message : 'Something went wrong. Please try again.'
}
