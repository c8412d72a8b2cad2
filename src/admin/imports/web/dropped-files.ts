import type { FoundFile } from './file-sending.ts'

/** Files that were chosen, each with its path in the folder that was chosen. */
export const chosenFiles = (files: FileList | null): FoundFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

/** Files that were dropped, those within dropped folders too. To be called while the drop is being told: what it holds is gone afterwards. */
export function droppedFiles({ items, files }: DataTransfer): Promise<FoundFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return Promise.resolve(chosenFiles(files))
  return Promise.all(entries.map(filesIn)).then((found) => found.flat())
}

async function filesIn(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const found: FoundFile[] = []
  for (const inner of await entriesOf(entry.createReader())) found.push(...(await filesIn(inner)))
  return found
}

/** A folder is read some hundred entries at a time, until there are none. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
