import { Paperclip, X } from 'lucide-react'
import { formatFileSize } from '../../../../ui/format.ts'
import { UploadLines } from '../../../../ui/uploads/UploadLines.tsx'
import type { DraftFile } from './draft-store.ts'
import type { useDraftUploads } from './draft-uploads.ts'

interface DraftFilesProps {
  files: readonly DraftFile[]
  uploads: ReturnType<typeof useDraftUploads>
  error: string | undefined
  onRemove: (file: DraftFile) => void
}

/** Attached files, and uploads in progress. */
export function DraftFiles({ files, uploads, error, onRemove }: DraftFilesProps) {
  return (
    <>
      {files.length > 0 && (
        <ul aria-label="Attached" className="flex flex-wrap gap-1.5 px-4 pb-2">
          {files.map((file) => (
            <li
              key={file.id}
              className="flex h-9 max-w-full items-center gap-1.5 rounded-sm border border-line-2 bg-surface pl-2 text-xs text-fg md:h-7"
            >
              <Paperclip aria-hidden="true" className="size-3.5! text-fg-3" />
              <span className="truncate">{file.name}</span>
              <span className="flex-none text-fg-3 tabular-nums">{formatFileSize(file.size)}</span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                onClick={() => onRemove(file)}
                className="relative flex size-7 flex-none items-center justify-center text-fg-2 touch-target hover:text-fg"
              >
                <X className="size-3.5!" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {uploads.uploads.length > 0 && (
        <div className="px-4 pb-2">
          <UploadLines uploads={uploads.uploads} onRetry={uploads.retry} onRemove={uploads.remove} />
        </div>
      )}
      {error && (
        <p role="alert" className="px-4 pb-2 text-sm text-danger-fg">
          {error}
        </p>
      )}
    </>
  )
}
