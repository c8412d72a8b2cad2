import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { reasonLabel } from '../labels.ts'
import type { SequenceData } from '../sequence-data.ts'
import { MissingValues } from './MissingValues.tsx'

const periods = ['7', '30', '90', '365'] as const
type Period = (typeof periods)[number]

/** For whom the draft would start, and who is refused by which rule. */
export function DryRun({ sequence, isDirty }: { sequence: SequenceData; isDirty: boolean }) {
  const [days, setDays] = useState<Period>('30')
  const { id, version, draft } = sequence
  const isReady = draft.steps.length > 0
  const run = useQuery({
    ...orpc.sequences.dryRun.queryOptions({ input: { id, days: Number(days) } }),
    queryKey: [...orpc.sequences.dryRun.key({ input: { id, days: Number(days) } }), version],
    enabled: isReady,
    staleTime: 60_000,
  })
  return (
    <section aria-labelledby="dry-run">
      <h3 id="dry-run" className="text-title font-semibold text-fg">
        Dry run{sequence.hasChanges ? ` of version ${(sequence.published ?? 0) + 1}` : ''}
      </h3>
      <p className="pb-3 text-sm text-fg-2">
        {isDirty ? 'Counts the saved draft: save your changes to include them. ' : ''}Counts today’s patients
        {sequence.isOn && ', except those who have already entered'}. Nothing is sent.
      </p>
      {isReady ? (
        <>
          <Select
            aria-label="Events that count"
            value={days}
            onValueChange={(value) => value !== null && setDays(value)}
            options={periods.map((value) => ({
              value,
              label: value === '365' ? 'Events of the last year' : `Events of the last ${value} days`,
            }))}
          />
          {run.data && <MissingValues missing={run.data.missing} className="mt-3" />}
          {run.data ? (
            <dl aria-busy={run.isFetching} className="pt-2">
              <Row label="Would start" count={run.data.start} isStrong />
              {Object.entries(run.data.refused)
                .toSorted(([, one], [, other]) => other - one)
                .map(([reason, count]) => (
                  <Row key={reason} label={`Refused: ${reasonLabel(reason)}`} count={count} />
                ))}
              {run.data.heldOut > 0 && <Row label="Comparison group, receives nothing" count={run.data.heldOut} />}
              {run.data.skipped.flatMap(({ step, title, refused }) =>
                Object.entries(refused).map(([reason, count]) => (
                  <Row key={`${step} ${reason}`} label={`Would skip ${title}: ${reasonLabel(reason)}`} count={count} />
                )),
              )}
              {run.data.held > 0 && <Row label="Would start, first message delayed: three in seven days" count={run.data.held} />}
              <Row label="All patients with the event" count={run.data.total} />
            </dl>
          ) : run.error ? (
            <ErrorState title="Couldn’t count the patients" onRetry={() => void run.refetch()} retrying={run.isFetching}>
              {messageOf(run.error)}
            </ErrorState>
          ) : (
            <div role="status" aria-label="Counting" className="flex min-h-40 flex-col gap-5 py-5">
              <Skeleton className="w-full" />
              <Skeleton className="w-4/5" />
              <Skeleton className="w-full" />
            </div>
          )}
        </>
      ) : (
        <p className="text-sm text-fg-2">Add a step and save the draft to see whom it would start for, and who would be refused and why.</p>
      )}
    </section>
  )
}

function Row({ label, count, isStrong = false }: { label: string; count: number; isStrong?: boolean }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 border-b border-line py-1.5 text-sm">
      <dt className="text-fg">{label}</dt>
      <dd className={isStrong ? 'font-semibold text-fg tabular-nums' : 'text-fg tabular-nums'}>{count.toLocaleString('en-CA')}</dd>
    </div>
  )
}
