import { downloadZip } from 'client-zip'
import { isSessionOver, type ShownDocument } from './calls.ts'
import { saveBlob } from '../../ui/client/save-blob.ts'
import type { Target } from './save.ts'
import { zipEntryNames } from './texts.ts'

interface ZipOf {
  documents: readonly ShownDocument[]
  name: string
  target: Target | null
  fileOf: (document: ShownDocument) => Promise<Blob>
}

/**
 * Writes the documents into one zip, each fetched when its turn comes. Spec 8: one that fails is skipped and logged; throws when none was left.
 *
 * @returns the names of those that are not in it
 */
export async function saveZip({ documents, name, target, fileOf }: ZipOf): Promise<string[]> {
  const missing: string[] = []
  const names = zipEntryNames(documents)

  async function* entries() {
    for (const [index, document] of documents.entries()) {
      const input = await fileOf(document).catch((error: unknown) => {
        if (isSessionOver(error)) throw error
        missing.push(document.name)
        // oxlint-disable-next-line no-console -- spec 8: a file that fails is logged
        console.warn(`A document is not in the zip: ${String(error)}`)
        return null
      })
      if (input) yield { input, name: names[index]!, lastModified: new Date(document.created_at) }
    }
    if (missing.length === documents.length) throw new Error('None of the documents could be fetched')
  }

  const zip = downloadZip(entries())
  if (!target || !zip.body) {
    saveBlob(await zip.blob(), name)
    return missing
  }
  try {
    await zip.body.pipeTo(await target.createWritable())
  } catch (error) {
    // The empty file that was made when its place was chosen.
    await target.remove?.().catch(() => undefined)
    throw error
  }
  return missing
}
