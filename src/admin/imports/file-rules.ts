/** Normalizes a path for comparison: case, slashes and the composition of accents do not matter. */
const pathKey = (path: string): string =>
  path
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.')
    .join('/')

/** The file name in a normalized path. */
const baseName = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

export const fileKey = (path: string): { key: string; base: string } => {
  const key = pathKey(path)
  return { key, base: baseName(key) }
}

/** The keys of the files that a row's value refers to: the one with that full path, else those whose path ends in it. */
export function findFileKeys(name: string, keys: readonly string[]): string[] {
  const wanted = pathKey(name)
  if (wanted === '') return []
  return keys.includes(wanted) ? [wanted] : keys.filter((key) => key.endsWith(`/${wanted}`))
}

/** System files that operating systems leave in folders. */
export const isJunk = (path: string): boolean =>
  path.split(/[\\/]/).some((part) => part === '__MACOSX' || /^\.[^.]/.test(part)) ||
  /(^|[\\/])(thumbs\.db|desktop\.ini)$/i.test(path) ||
  /[\\/]$/.test(path)
