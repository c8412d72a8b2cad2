export type Target = FileSystemFileHandle & { remove?: () => Promise<void> }
type Picker = (options: { suggestedName: string; types: { accept: Record<string, string[]> }[] }) => Promise<Target>

/**
 * Where a zip is written to piece by piece, so that it needs no room in memory. Null where the browser has no such thing; 'cancelled' when the
 * patient chose nothing. It has to be asked for right at the press of a button.
 */
export async function pickZip(suggestedName: string): Promise<Target | 'cancelled' | null> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: Picker }
  if (!showSaveFilePicker) return null
  try {
    return await showSaveFilePicker({ suggestedName, types: [{ accept: { 'application/zip': ['.zip'] } }] })
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'cancelled' : null
  }
}
