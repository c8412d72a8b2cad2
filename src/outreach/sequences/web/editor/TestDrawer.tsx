import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarCheck, ChevronDown, type LucideIcon, MousePointerClick, Reply, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import type { BranchEvent } from '../../definition-contract.ts'
import { reasonLabel } from '../labels.ts'
import { Entries } from '../log/Entries.tsx'
import type { SequenceData } from '../sequence-data.ts'

type Event = { after: string; kind: BranchEvent }

const offered: [BranchEvent, string, LucideIcon][] = [
  ['reply', 'They reply', Reply],
  ['booking', 'They book', CalendarCheck],
  ['link', 'They open a link', MousePointerClick],
]

const happenings: Record<Event['kind'], string> = { reply: 'replies', booking: 'books', link: 'opens a link' }

/** Steps a patient through the draft with a clock that runs ahead; nothing is sent. */
export function TestDrawer({ sequence, isDirty, onClose }: { sequence: SequenceData; isDirty: boolean; onClose: () => void }) {
  const [patient, setPatient] = useState<{ id: string; firstName: string } | null>(null)
  const [events, setEvents] = useState<Event[]>([])
  const { id, version } = sequence
  const input = { id, contactId: patient?.id ?? '', events }
  const test = useQuery({
    ...orpc.sequences.simulate.queryOptions({ input }),
    queryKey: [...orpc.sequences.simulate.key({ input }), version],
    enabled: patient !== null,
    placeholderData: keepPreviousData,
  })
  const entries = test.data?.entries ?? []
  const titleAfter = (step: string) => entries.find((entry) => entry.step === step)?.title ?? 'a step'
  return (
    <SideDrawer title="Test with a patient" description={sequence.name} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-fg-2">
          Runs the {isDirty ? 'saved draft, without your unsaved changes,' : 'draft'} for a patient and shows each step with its time.
          Nothing is sent or saved.
        </p>
        <Field label="Patient">
          <ContactPicker
            value={patient?.id ?? null}
            onValueChange={(_id, contact) => {
              setPatient(contact)
              setEvents([])
            }}
          />
        </Field>
        {events.length > 0 && (
          <Alert
            tone="info"
            action={
              <Button size="sm" icon={<RotateCcw />} onClick={() => setEvents([])}>
                Start over
              </Button>
            }
          >
            {events.map(({ after, kind }) => `${patient?.firstName} ${happenings[kind]} after ${titleAfter(after)}`).join('. ')}.
          </Alert>
        )}
        {patient &&
          (test.data ? (
            <div aria-busy={test.isFetching} aria-live="polite">
              <Entries
                entries={entries.map((entry, index) => ({ ...entry, id: `${index}`, by: null }))}
                renderActions={(entry) =>
                  ['sent', 'refused', 'done'].includes(entry.outcome) &&
                  !events.some(({ after }) => after === entry.step) && (
                    <span className="-ml-2 block">
                      <DropdownMenu
                        align="start"
                        trigger={
                          <Button size="sm" variant="quiet" aria-label={`What if, after ${entry.title}`}>
                            What if…
                            <ChevronDown className="size-3.5!" />
                          </Button>
                        }
                      >
                        {offered.map(([kind, label, Icon]) => (
                          <MenuItem key={kind} icon={<Icon />} onSelect={() => setEvents([...events, { after: entry.step, kind }])}>
                            {label}
                          </MenuItem>
                        ))}
                      </DropdownMenu>
                    </span>
                  )
                }
              />
              <p className="border-t border-line pt-3 text-sm font-medium text-fg">{endText(test.data.end)}</p>
            </div>
          ) : test.error ? (
            <ErrorState title="Couldn’t test the sequence" onRetry={() => void test.refetch()} retrying={test.isFetching}>
              {messageOf(test.error)}
            </ErrorState>
          ) : (
            <SkeletonRows rows={5} rowClassName="border-b-0 px-0 md:px-0" />
          ))}
      </div>
    </SideDrawer>
  )
}

function endText(end: string): string {
  if (end === 'finished') return 'The sequence ends here: all steps are done.'
  if (end === 'paused') return 'The sequence pauses here until staff resume it: the patient replied.'
  return `The patient leaves here: ${reasonLabel(end)}.`
}
