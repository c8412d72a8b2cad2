import type { FoundFile } from './file-uploads.ts'

/** The files from a file picker, each with its path in the chosen folder. */
export const chosenFiles = (files: FileList | null): FoundFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

/** The dropped files, including those in dropped folders. Must be called during the drop event, because its data is cleared afterwards. */
export function droppedFiles({ items, files }: DataTransfer): Promise<FoundFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return Promise.resolve(chosenFiles(files))
  return Promise.all(entries.map(readEntry)).then((found) => found.flat())
}

async function readEntry(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const found: FoundFile[] = []
  for (const inner of await readEntries(entry.createReader())) found.push(...(await readEntry(inner)))
  return found
}

/** Reads all entries of a folder; browsers return about a hundred at a time. */
async function readEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return all
    all.push(...batch)
  }
}
