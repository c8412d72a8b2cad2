import { CircleAlert, RotateCw, X } from 'lucide-react'
import { Button } from '../controls/Button.tsx'
import { formatFileSize } from '../format.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { ProgressBar } from '../display/ProgressBar.tsx'
import type { Upload } from './upload-queue.ts'

interface UploadLinesProps {
  uploads: readonly Upload<unknown>[]
  onRetry: (key: number) => void
  onRemove: (key: number) => void
}

/** Uploads in progress, and failed ones with the reason. */
export function UploadLines({ uploads, onRetry, onRemove }: UploadLinesProps) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="flex flex-col">
      {uploads.map(({ key, file, state, part, reason, mayRetry }) => (
        <li key={key} className="flex min-h-13 items-center gap-3 border-b border-line py-2">
          {state === 'failed' ? (
            <>
              <div role="alert" className="flex min-w-0 flex-1 gap-2.5">
                <CircleAlert aria-hidden="true" className="mt-0.5 text-danger-fg" />
                <p className="min-w-0 text-sm">
                  <span className="font-medium wrap-anywhere">{file.name}</span>
                  <span className="block text-danger-fg">{reason}</span>
                </p>
              </div>
              {mayRetry && (
                <Button size="sm" icon={<RotateCw />} aria-label={`Retry ${file.name}`} onClick={() => onRetry(key)}>
                  Retry
                </Button>
              )}
              <IconButton label={`Dismiss ${file.name}`} size="sm" icon={<X />} tooltipSide="left" onClick={() => onRemove(key)} />
            </>
          ) : (
            <>
              <div className="min-w-0 flex-1">
                <ProgressBar
                  label={state === 'waiting' ? `${file.name} is queued` : part < 1 ? `Sending ${file.name}` : `Checking ${file.name}`}
                  value={part}
                  indeterminate={state === 'sending' && part >= 1}
                  detail={formatFileSize(file.size)}
                />
              </div>
              <Button size="sm" variant="quiet" aria-label={`Cancel ${file.name}`} onClick={() => onRemove(key)}>
                Cancel
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
