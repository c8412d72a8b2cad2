import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { FolderUp, RotateCw } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { type Client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { formatCount, formatFileSize } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { chosenFiles, droppedFiles } from './dropped-files.ts'
import { type FoundFile, type FileUploadState, useFileUploads } from './file-uploads.ts'

interface FilesPanelProps {
  id: string
  /** The name of the table, which is often in the same folder and is not uploaded again. */
  tableName: string
}

/** The attribute that lets a file picker choose folders; React's types do not include it. */
const folderAttributes = { webkitdirectory: '' }

/** Maximum number of rejected files listed. */
const maxListedNames = 20

type Uploads = ReturnType<typeof useFileUploads>
type UploadedQuery = Pick<UseQueryResult<Awaited<ReturnType<Client['imports']['files']>>>, 'data' | 'error'>

/** Uploads the files that the rows of a documents table refer to, as a folder, single files or an archive. */
export function FilesPanel({ id, tableName }: FilesPanelProps) {
  const uploaded = useQuery(orpc.imports.files.queryOptions({ input: { id }, staleTime: 0 }))
  const uploads = useFileUploads(id)
  const add = (found: FoundFile[]) => uploads.add(found.filter(({ file }) => file.name !== tableName))

  return (
    <section aria-labelledby="files" className="flex flex-col gap-3">
      <div>
        <h2 id="files" className="text-md font-semibold">
          Files
        </h2>
        <p className="max-w-140 pt-1 text-sm text-fg-2">
          Rows refer to files by name, including the folder if two files have the same name. PDF, Word and photos, up to 50 MB each.
        </p>
      </div>
      <DropZone uploads={uploads} uploaded={uploaded} onAdd={add} />
      <RejectedFiles uploads={uploads} uploaded={uploaded} />
    </section>
  )
}

interface DropZoneProps {
  uploads: Uploads
  uploaded: UploadedQuery
  onAdd: (found: FoundFile[]) => void
}

/** Accepts dropped or chosen files, and shows the progress of their upload. */
function DropZone({ uploads, uploaded, onAdd }: DropZoneProps) {
  const [isDragOver, setDragOver] = useState(false)
  const [folderInput, fileInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDragOver(false)
    void droppedFiles(event.dataTransfer).then(onAdd)
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
      className={cn(
        'flex flex-col gap-3 rounded-lg border border-dashed border-line-control p-4 md:flex-row md:items-center md:justify-between',
        isDragOver && 'border-accent bg-selected',
      )}
    >
      <div className="min-w-0 flex-1">{uploads.isBusy ? <Progress uploads={uploads} /> : <UploadedFiles uploaded={uploaded} />}</div>
      {uploads.isBusy ? (
        <Button className="flex-none" onClick={uploads.stop}>
          Stop uploading
        </Button>
      ) : (
        <div className="flex flex-none flex-wrap gap-2">
          <Button icon={<FolderUp />} onClick={() => folderInput.current?.click()}>
            Choose folder
          </Button>
          <Button variant="quiet" onClick={() => fileInput.current?.click()}>
            Choose files or .zip
          </Button>
        </div>
      )}
      <input
        ref={folderInput}
        type="file"
        {...folderAttributes}
        aria-label="Folder of files"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          onAdd(chosenFiles(target.files))
          target.value = ''
        }}
      />
      <input
        ref={fileInput}
        type="file"
        multiple
        aria-label="Files or archive"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          onAdd(chosenFiles(target.files))
          target.value = ''
        }}
      />
    </div>
  )
}

/** The number and size of the files uploaded so far. */
function UploadedFiles({ uploaded }: { uploaded: UploadedQuery }) {
  return (
    <p role="status" className="text-sm">
      {uploaded.data ? (
        uploaded.data.count > 0 ? (
          <span className="font-medium tabular-nums">
            {formatCount(uploaded.data.count)} {uploaded.data.count === 1 ? 'file' : 'files'}, {formatFileSize(uploaded.data.bytes)}
          </span>
        ) : (
          <span className="text-fg-2">No files yet. Drop the folder or a .zip of it here.</span>
        )
      ) : uploaded.error ? (
        <span className="text-danger-fg">{messageOf(uploaded.error)}</span>
      ) : (
        <Skeleton className="w-40" />
      )}
    </p>
  )
}

/** The files that could not be uploaded or that the server refused. */
function RejectedFiles({ uploads, uploaded }: { uploads: Uploads; uploaded: UploadedQuery }) {
  const rejectedPaths = new Set(uploaded.data?.refusals.map(({ path }) => path))
  const retryable = new Set(uploads.failed.filter(({ path, mayRetry }) => mayRetry && !rejectedPaths.has(path)).map(({ path }) => path))
  const rejections = [
    ...uploads.failed.map(({ path, reason }) => ({ path, reason })),
    ...(uploaded.data?.refusals ?? []).filter(({ path }) => !uploads.failed.some((failed) => failed.path === path)),
  ]
  const rejectedCount = rejections.length + Math.max(0, (uploaded.data?.refused ?? 0) - (uploaded.data?.refusals.length ?? 0))
  if (rejectedCount === 0 || uploads.isBusy) return null

  return (
    <>
      <Alert
        tone="warning"
        title={`${formatCount(rejectedCount)} ${rejectedCount === 1 ? 'file was' : 'files were'} rejected.`}
        action={
          retryable.size > 0 && (
            <Button size="sm" icon={<RotateCw />} onClick={() => uploads.retry(retryable)}>
              Try again
            </Button>
          )
        }
      >
        Rows that refer to {rejectedCount === 1 ? 'it' : 'them'} are not imported.
      </Alert>
      <ul aria-label="Rejected files" className="border-t border-line">
        {rejections.slice(0, maxListedNames).map(({ path, reason }) => (
          <li key={path} className="border-b border-line py-2 text-sm">
            <span className="font-medium wrap-anywhere">{path}</span>
            <span className="block text-fg-2">{reason}</span>
          </li>
        ))}
        {rejectedCount > maxListedNames && (
          <li className="py-2 text-sm text-fg-3">and {formatCount(rejectedCount - maxListedNames)} more</li>
        )}
      </ul>
    </>
  )
}

function Progress({ uploads: { total, done, last } }: { uploads: FileUploadState }) {
  const isOne = total === 1 && last !== null
  return (
    <ProgressBar
      label={isOne ? `${last.part < 1 ? 'Uploading' : 'Checking'} ${last.path}` : 'Uploading files'}
      value={isOne ? last.part : total > 0 ? done / total : 0}
      indeterminate={isOne && last.part >= 1}
      {...(isOne ? {} : { detail: `${formatCount(done)} of ${formatCount(total)}` })}
    />
  )
}
