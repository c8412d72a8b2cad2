/** A path as it is compared: whatever the case, the kind of slash, and how accents are put together. */
const pathKey = (path: string): string =>
  path
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.')
    .join('/')

/** The last part of a path: the name of the file. */
const baseOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

export const fileKey = (path: string): { key: string; base: string } => {
  const key = pathKey(path)
  return { key, base: baseOf(key) }
}

/** Of the keys of files: those that a row means which says `named`. The whole path, or else the end of it; several when that does not tell. */
export function namedFiles(named: string, keys: readonly string[]): string[] {
  const wanted = pathKey(named)
  if (wanted === '') return []
  return keys.includes(wanted) ? [wanted] : keys.filter((key) => key.endsWith(`/${wanted}`))
}

/** What computers leave in folders, which no one means to send. */
export const isJunk = (path: string): boolean =>
  path.split(/[\\/]/).some((part) => part === '__MACOSX' || /^\.[^.]/.test(part)) ||
  /(^|[\\/])(thumbs\.db|desktop\.ini)$/i.test(path) ||
  /[\\/]$/.test(path)
