export type Target = FileSystemFileHandle & { remove?: () => Promise<void> }
type Picker = (options: { suggestedName: string; types: { accept: Record<string, string[]> }[] }) => Promise<Target>

/**
 * Asks where to save a zip, so that it can be streamed to disk instead of held in memory. Null if the browser does not support this;
 * 'cancelled' if the patient cancels. Must be called directly in a click handler.
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
