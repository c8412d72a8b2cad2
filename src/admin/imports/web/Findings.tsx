import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type client, messageOf, orpc } from '../../../ui/client/api.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatCount } from '../../../ui/format.ts'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { TabPanel, Tabs } from '../../../ui/display/Tabs.tsx'
import type { FindingKind } from '../contract.ts'

type Finding = Awaited<ReturnType<typeof client.imports.findings>>['data'][number]

interface FindingsProps {
  id: string
  /** The number of findings of each kind; null if there are some but the number is unknown. */
  counts: Partial<Record<FindingKind, number | null>>
}

const labels: Record<FindingKind, string> = {
  error: 'Errors',
  match: 'Existing',
  duplicate: 'Duplicates in file',
  kept: 'Kept',
  unnamed: 'Files without a row',
}

/** The rows with findings, in a tab for each kind that occurs. */
export function Findings({ id, counts }: FindingsProps) {
  const kinds = (Object.keys(labels) as FindingKind[]).filter((kind) => counts[kind] !== undefined && counts[kind] !== 0)
  const [chosen, setChosen] = useState(kinds[0])
  if (!chosen) return null
  return (
    <section aria-label="Rows">
      <Tabs
        aria-label="Rows"
        value={chosen}
        onValueChange={setChosen}
        items={kinds.map((kind) => ({ value: kind, label: labels[kind], count: itemCount(counts[kind]) }))}
        listClassName="px-0 md:px-0"
      >
        <TabPanel value={chosen}>
          <FindingList key={chosen} id={id} kind={chosen} />
        </TabPanel>
      </Tabs>
    </section>
  )
}

const itemCount = (count: number | null | undefined) => (typeof count === 'number' ? formatCount(count) : undefined)

function FindingList({ id, kind }: { id: string; kind: FindingKind }) {
  const { list, older } = usePages(orpc.imports.findings, { id, kind })
  const { data, error, refetch, isRefetching, hasNextPage } = list
  if (error && !data) {
    return (
      <ErrorState title="Couldn’t load the rows" onRetry={() => void refetch()} retrying={isRefetching}>
        {messageOf(error)}
      </ErrorState>
    )
  }
  if (!data) return <SkeletonRows rows={5} />
  const found = rowsOf(data)
  if (found.length === 0) return <p className="py-4 text-sm text-fg-3">No rows</p>
  return (
    <>
      <ul>
        {found.map((finding) => (
          <li key={finding.row} className="flex gap-4 border-b border-line py-2.5 text-sm">
            {kind !== 'unnamed' && <span className="w-20 flex-none text-fg-3 tabular-nums">Row {formatCount(finding.row)}</span>}
            <div className="min-w-0 flex-1">
              <p className={cn('font-medium', kind === 'unnamed' ? 'wrap-anywhere' : 'truncate')}>{finding.name || 'No name'}</p>
              <FindingDetails finding={finding} />
            </div>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="quiet" className="mt-2" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
          Show more
        </Button>
      )}
    </>
  )
}

function FindingDetails({ finding: { problems, contact, note } }: { finding: Finding }) {
  return (
    <>
      {problems.map(({ column, value, reason }) => (
        <p key={`${column} ${reason}`} className="break-words text-fg-2">
          {column && <span className="text-fg">{column}: </span>}
          {reason}
          {value && <span className="text-fg-3"> “{value}”</span>}
        </p>
      ))}
      {note && (
        <p className="text-fg-2">
          {note}
          {contact && (
            <>
              {': '}
              <Link to="/contacts/$id" params={{ id: contact.id }} className="text-accent-fg underline underline-offset-2">
                {contact.firstName} {contact.lastName}
              </Link>
            </>
          )}
        </p>
      )}
    </>
  )
}
