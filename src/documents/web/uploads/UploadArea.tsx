import { Upload } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { cn } from '../../../ui/cn.ts'
import { formatFileSize } from '../../../ui/format.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { clinicFileLimit, type DocumentType } from '../../rules.ts'
import { categoryOptions } from '../labels.ts'
import { acceptedExtensions } from './check-file.ts'

export interface UploadOptions {
  type: DocumentType
  share: boolean
}

interface UploadAreaProps {
  options: UploadOptions
  onOptionsChange: (options: UploadOptions) => void
  /** Whether files are being dragged over the tab. */
  isDragOver: boolean
  onFiles: (files: readonly File[]) => void
}

/** Drop area and file picker, with the category and sharing of the next uploads. */
export function UploadArea({ options, onOptionsChange, isDragOver, onFiles }: UploadAreaProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className={cn(
        'flex flex-col gap-3 rounded-lg border border-dashed border-line-control p-3 @2xl:flex-row @2xl:items-center @2xl:gap-4 @2xl:px-4',
        isDragOver && 'border-accent bg-selected',
      )}
    >
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <Button icon={<Upload />} onClick={() => input.current?.click()}>
          Upload files
        </Button>
        <p className="min-w-0 text-xs text-fg-3">
          <span className="text-sm text-fg-2 pointer-coarse:hidden">{isDragOver ? 'Drop files here' : 'or drop files here'}</span>
          <span className="block">PDF, Word or photo, up to {formatFileSize(clinicFileLimit)}</span>
        </p>
      </div>
      <div className="flex flex-none flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex items-center gap-2 max-md:w-full">
          <label htmlFor={id} className="flex-none text-sm text-fg-2">
            Category
          </label>
          <Select
            id={id}
            className="w-36 max-md:flex-1 md:h-(--control)"
            value={options.type}
            options={categoryOptions(null)}
            onValueChange={(type) => type && onOptionsChange({ ...options, type })}
          />
        </div>
        <CheckboxLine checked={options.share} onCheckedChange={(share) => onOptionsChange({ ...options, share })}>
          Share with the patient
        </CheckboxLine>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedExtensions}
        aria-label="Files to upload"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}
