import { useQuery } from '@tanstack/react-query'
import { FolderUp, RotateCw } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { formatCount, formatFileSize } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { chosenFiles, droppedFiles } from './dropped-files.ts'
import { type FoundFile, type Sending, useFileSending } from './file-sending.ts'

interface FilesPanelProps {
  id: string
  /** Of the table, which often lies in the same folder. */
  tableName: string
}

/** The attribute that makes a chooser take folders; React's types do not know it. */
const wholeFolder = { webkitdirectory: '' }

/** As many refused files as are named at once. */
const maxListedNames = 20

/** The files that the rows of a table of documents name: a folder of them, some of them, or all of them in an archive. */
export function FilesPanel({ id, tableName }: FilesPanelProps) {
  const sent = useQuery(orpc.imports.files.queryOptions({ input: { id }, staleTime: 0 }))
  const sending = useFileSending(id)
  const [over, setOver] = useState(false)
  const [folder, some] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const add = (found: FoundFile[]) => sending.add(found.filter(({ file }) => file.name !== tableName))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void droppedFiles(event.dataTransfer).then(add)
  }
  const seen = new Set(sent.data?.refusals.map(({ path }) => path))
  const retriable = new Set(sending.failed.filter(({ path, mayRetry }) => mayRetry && !seen.has(path)).map(({ path }) => path))
  const refusals = [
    ...sending.failed.map(({ path, reason }) => ({ path, reason })),
    ...(sent.data?.refusals ?? []).filter(({ path }) => !sending.failed.some((failed) => failed.path === path)),
  ]
  const refused = refusals.length + Math.max(0, (sent.data?.refused ?? 0) - (sent.data?.refusals.length ?? 0))

  return (
    <section aria-labelledby="files" className="flex flex-col gap-3">
      <div>
        <h2 id="files" className="text-md font-semibold">
          The files
        </h2>
        <p className="max-w-140 pt-1 text-sm text-fg-2">
          Rows name them by their file name, with the folder where two have the same. PDF, Word and photos, 50 MB each at most.
        </p>
      </div>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'flex flex-col gap-3 rounded-lg border border-dashed border-line-control p-4 md:flex-row md:items-center md:justify-between',
          over && 'border-accent bg-selected',
        )}
      >
        <div className="min-w-0 flex-1">
          {sending.isBusy ? (
            <Progress sending={sending} />
          ) : (
            <p role="status" className="text-sm">
              {sent.data ? (
                sent.data.count > 0 ? (
                  <span className="font-medium tabular-nums">
                    {formatCount(sent.data.count)} {sent.data.count === 1 ? 'file' : 'files'}, {formatFileSize(sent.data.bytes)}
                  </span>
                ) : (
                  <span className="text-fg-2">No files yet. Drop the folder here, or one .zip of it.</span>
                )
              ) : sent.error ? (
                <span className="text-danger-fg">{messageOf(sent.error)}</span>
              ) : (
                <Skeleton className="w-40" />
              )}
            </p>
          )}
        </div>
        {sending.isBusy ? (
          <Button className="flex-none" onClick={sending.stop}>
            Stop sending
          </Button>
        ) : (
          <div className="flex flex-none flex-wrap gap-2">
            <Button icon={<FolderUp />} onClick={() => folder.current?.click()}>
              Choose folder
            </Button>
            <Button variant="quiet" onClick={() => some.current?.click()}>
              Choose files or .zip
            </Button>
          </div>
        )}
        <input
          ref={folder}
          type="file"
          {...wholeFolder}
          aria-label="Folder of files"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            add(chosenFiles(target.files))
            target.value = ''
          }}
        />
        <input
          ref={some}
          type="file"
          multiple
          aria-label="Files or archive"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            add(chosenFiles(target.files))
            target.value = ''
          }}
        />
      </div>
      {refused > 0 && !sending.isBusy && (
        <>
          <Alert
            tone="warning"
            title={`${formatCount(refused)} ${refused === 1 ? 'file was' : 'files were'} not taken.`}
            action={
              retriable.size > 0 && (
                <Button size="sm" icon={<RotateCw />} onClick={() => sending.retry(retriable)}>
                  Try again
                </Button>
              )
            }
          >
            Rows that name {refused === 1 ? 'it' : 'them'} are left out.
          </Alert>
          <ul aria-label="Files not taken" className="border-t border-line">
            {refusals.slice(0, maxListedNames).map(({ path, reason }) => (
              <li key={path} className="border-b border-line py-2 text-sm">
                <span className="font-medium wrap-anywhere">{path}</span>
                <span className="block text-fg-2">{reason}</span>
              </li>
            ))}
            {refused > maxListedNames && <li className="py-2 text-sm text-fg-3">and {formatCount(refused - maxListedNames)} more</li>}
          </ul>
        </>
      )}
    </section>
  )
}

function Progress({ sending: { total, done, last } }: { sending: Sending }) {
  const isOne = total === 1 && last !== null
  return (
    <ProgressBar
      label={isOne ? `${last.part < 1 ? 'Sending' : 'Checking'} ${last.path}` : 'Sending files'}
      value={isOne ? last.part : total > 0 ? done / total : 0}
      indeterminate={isOne && last.part >= 1}
      {...(isOne ? {} : { detail: `${formatCount(done)} of ${formatCount(total)}` })}
    />
  )
}
