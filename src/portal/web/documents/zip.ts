import { downloadZip } from 'client-zip'
import { isSessionOver, type DocumentData } from '../calls.ts'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import type { Target } from './save.ts'
import { zipEntryNames } from './labels.ts'

interface ZipOptions {
  documents: readonly DocumentData[]
  name: string
  target: Target | null
  fileOf: (document: DocumentData) => Promise<Blob>
}

/**
 * Writes the documents to a zip, fetching them one by one. A failed document is skipped and logged (spec 8). Throws if all fail.
 *
 * @returns the names of the skipped documents
 */
export async function saveZip({ documents, name, target, fileOf }: ZipOptions): Promise<string[]> {
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
    downloadBlob(await zip.blob(), name)
    return missing
  }
  try {
    await zip.body.pipeTo(await target.createWritable())
  } catch (error) {
    // Removes the empty file that the save dialog created.
    await target.remove?.().catch(() => undefined)
    throw error
  }
  return missing
}
