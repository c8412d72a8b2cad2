import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatCount, formatDateTime } from '../../../ui/format.ts'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { type ImportLine, sendFile, SheetChoice } from './upload-table.ts'
import { ImportGuard } from './ImportGuard.tsx'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { type ImportKind, importKinds } from '../kind-rules.ts'
import { kindLabels, formatOutcome } from './labels.ts'

const kindOptions = importKinds.map((value) => ({ value, label: kindLabels[value].label }))

/** /contacts/import: choose what to import and upload a file; earlier imports are listed below. */
export default function ImportStartPage() {
  const navigate = useNavigate()
  const { what: kind = 'patients' } = useSearch({ from: '/staff/contacts/import' })
  const choose = (chosen: ImportKind) =>
    void navigate({ to: '/contacts/import', search: { what: chosen === 'patients' ? undefined : chosen }, replace: true })
  return (
    <>
      <TopbarTitle title="Import" />
      <ImportGuard>
        <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 md:px-6">
          <div className="mx-auto flex max-w-180 flex-col gap-8">
            <div className="flex flex-col gap-4">
              <SegmentedControl aria-label="What to import" value={kind} onValueChange={choose} options={kindOptions} />
              <TemplateHint kind={kind} />
              <FileDrop key={kind} kind={kind} />
            </div>
            <EarlierImports />
          </div>
        </div>
      </ImportGuard>
    </>
  )
}

/** Describes the expected table, with links to templates. */
function TemplateHint({ kind }: { kind: ImportKind }) {
  const template = (format: 'csv' | 'xlsx') => `/api/import-templates/${kind}.${format}`
  return (
    <p className="max-w-140 text-sm text-fg-2">
      {kindLabels[kind].hint} Download a template:{' '}
      <a href={template('csv')} download className="text-accent-fg underline underline-offset-2" aria-label="CSV template">
        CSV
      </a>
      {', '}
      <a href={template('xlsx')} download className="text-accent-fg underline underline-offset-2" aria-label="Excel template">
        Excel
      </a>
      .
    </p>
  )
}

function FileDrop({ kind }: { kind: ImportKind }) {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<{ name: string; part: number; abort: AbortController } | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isDragOver, setDragOver] = useState(false)

  const [choice, setChoice] = useState<{ file: File; sheets: readonly string[] } | null>(null)

  async function handleFile(file: File | undefined, sheet: string | null = null) {
    if (!file || sending) return
    setRefusal(null)
    setChoice(null)
    const abort = new AbortController()
    setSending({ name: file.name, part: 0, abort })
    try {
      const onProgress = (part: number) => setSending({ name: file.name, part, abort })
      const id = await sendFile(file, { kind, sheet, onProgress, signal: abort.signal })
      void navigate({ to: '/contacts/import/$id', params: { id } })
    } catch (error) {
      if (error instanceof SheetChoice) setChoice({ file, sheets: error.sheets })
      else setRefusal(error instanceof Error ? error.message : String(error))
      setSending(null)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDragOver(false)
    void handleFile(event.dataTransfer.files[0])
  }

  return (
    <section aria-label="File" className="flex flex-col gap-3">
      {refusal && (
        <Alert
          tone="danger"
          title="The file was not accepted."
          action={<HelpLink to="import#if-a-file-is-not-accepted">Which files work</HelpLink>}
        >
          {refusal}
        </Alert>
      )}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={drop}
        className={cn(
          'flex min-h-52 flex-col items-center justify-center gap-3 rounded-lg border border-dashed border-line-control px-4 py-8 text-center',
          isDragOver && 'border-accent bg-selected',
        )}
      >
        {sending ? (
          <div className="w-full max-w-80">
            <ProgressBar
              label={sending.part < 1 ? `Uploading ${sending.name}` : `Reading ${sending.name}`}
              value={sending.part}
              indeterminate={sending.part >= 1}
            />
            <Button
              variant="quiet"
              className="mt-3"
              onClick={() => {
                sending.abort.abort()
                setSending(null)
              }}
            >
              Cancel
            </Button>
          </div>
        ) : choice ? (
          <>
            <div>
              <h2 className="text-md font-semibold">Which sheet has the {kindLabels[kind].many}?</h2>
              <p className="pt-1 text-sm text-fg-2 wrap-anywhere">{choice.file.name} has several sheets.</p>
            </div>
            <ul aria-label="Sheets" className="flex w-full max-w-80 flex-col gap-2">
              {choice.sheets.map((name) => (
                <li key={name}>
                  <Button block className="min-w-0" onClick={() => void handleFile(choice.file, name)}>
                    <span className="truncate">{name}</span>
                  </Button>
                </li>
              ))}
            </ul>
            <Button variant="quiet" onClick={() => setChoice(null)}>
              Choose another file
            </Button>
          </>
        ) : (
          <>
            <FileUp className="size-5.5! text-fg-3" aria-hidden="true" />
            <div>
              <h2 className="text-md font-semibold">Drop a CSV or Excel file here</h2>
              <p className="max-w-100 pt-1 text-sm text-balance text-fg-2">Up to 100 MB. You see a preview before anything is imported.</p>
            </div>
            <Button variant="filled" onClick={() => input.current?.click()}>
              Choose file
            </Button>
          </>
        )}
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          aria-label="CSV or Excel file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void handleFile(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
    </section>
  )
}

function EarlierImports() {
  const cache = useQueryClient()
  const clock = useClock()
  const { list, older } = usePages(orpc.imports.list, {}, { staleTime: 0 })
  const { data, error, refetch, isRefetching } = list
  useLive(['import'], () => void cache.invalidateQueries({ queryKey: orpc.imports.list.key() }), { debounceMs: 500 })

  if (error && !data) return <ErrorState title="Couldn’t load earlier imports" onRetry={() => void refetch()} retrying={isRefetching} />
  if (!data) return <SkeletonRows rows={3} />
  const lines = rowsOf(data)
  if (lines.length === 0) return null
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier" className="pb-2 text-md font-semibold">
        Earlier imports
      </h2>
      <ul className="border-t border-line">
        {lines.map((line) => (
          <li key={line.id} className="border-b border-line">
            <Link
              to="/contacts/import/$id"
              params={{ id: line.id }}
              className="flex min-h-14 flex-col justify-center gap-x-4 py-2 hover:bg-hover md:flex-row md:items-center md:justify-between md:px-2"
            >
              <span className="flex min-w-0 flex-col">
                <span className="truncate text-sm font-medium">{line.fileName}</span>
                <span className="text-xs text-fg-3 tabular-nums">
                  {kindLabels[line.kind].label} · {formatDateTime(line.createdAt, clock)} · {formatRows(line)}
                </span>
              </span>
              <span className="text-sm text-fg-2 tabular-nums">{formatOutcome(line)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
          Show older
        </Button>
      )}
    </section>
  )
}

const formatRows = ({ rows }: ImportLine) => `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
