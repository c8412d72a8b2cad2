import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { cn } from '../ui/cn.ts'
import { DateInput, TimeInput } from '../ui/controls/DateInput.tsx'
import { PanelSection } from '../ui/display/Facts.tsx'
import { Field } from '../ui/forms/Field.tsx'
import { Form } from '../ui/forms/Form.tsx'
import { useActionForm } from '../ui/forms/useActionForm.ts'
import { type Clock, daysBetween, formatDateTime, formatDue, formatLate, formatShortDate, today } from '../ui/format.ts'
import { Popover } from '../ui/overlays/Popover.tsx'
import { None } from '../ui/display/Table.tsx'
import { followUp } from '../crm/contacts/web/embed/contact-text.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { useKey } from '../ui/hooks/useKey.ts'
import { toInstant, toLocal } from '../shared/zoned-time.ts'
import type { ChangeContact } from '../crm/contacts/web/embed/useContactChange.ts'
import { followUpChoices, defaultTime } from '../crm/contacts/web/embed/follow-up-choices.ts'

interface FollowUpSectionProps {
  contact: ContactData
  clock: Clock
  change: ChangeContact
  /** Makes the section visible where the panel is a tab. */
  onShow: () => void
}

/** The next follow-up: set in two clicks, completed in one. */
export function FollowUpSection({ contact, clock, change, onShow }: FollowUpSectionProps) {
  const instant = contact.nextFollowUpDate
  const due = followUp(instant, clock)

  function set(next: string | null) {
    void change({
      fields: { nextFollowUpDate: next },
      expected: { nextFollowUpDate: next },
      done: next === null ? 'Follow-up done' : `Follow-up set for ${formatDue(next, clock)}`,
      failed: 'The follow-up was not changed',
      undo: { nextFollowUpDate: instant },
    })
  }

  return (
    <PanelSection title="Next follow-up">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-32 text-sm">
          {due && instant !== null ? (
            <>
              <p
                title={formatDateTime(instant, clock)}
                className={cn('font-medium', due.when === 'overdue' ? 'text-danger-fg' : 'text-fg')}
              >
                {isNear(instant, clock) ? formatDue(instant, clock) : formatDateTime(instant, clock)}
              </p>
              {due.when === 'overdue' && <p className="text-xs text-fg-3">{formatLate(instant, clock)}</p>}
            </>
          ) : (
            <None />
          )}
        </div>
        <FollowUpPicker key={instant} instant={instant} clock={clock} onPick={set} onShow={onShow} />
        {instant !== null && (
          <Button size="sm" onClick={() => set(null)}>
            Done
          </Button>
        )}
      </div>
    </PanelSection>
  )
}

/** Whether the date is shown as yesterday, today or tomorrow. */
const isNear = (instant: string, clock: Clock): boolean => Math.abs(daysBetween(instant, clock)) <= 1

interface FollowUpPickerProps {
  instant: string | null
  clock: Clock
  onPick: (instant: string) => void
  onShow: () => void
}

function FollowUpPicker({ instant, clock, onPick, onShow }: FollowUpPickerProps) {
  const [open, setOpen] = useState(false)
  const form = useActionForm({
    initial: () => (instant === null ? { day: '', time: defaultTime } : toLocal(instant, clock.timeZone)),
    check: ({ day }) => ({ day: day === '' ? 'Enter a date' : undefined }),
    send: async ({ day, time }) => pick(toInstant({ day, time: time || defaultTime }, clock.timeZone)),
  })
  useKey('f', 'Set the follow-up', () => {
    onShow()
    setOpen(true)
  })

  function pick(next: string) {
    setOpen(false)
    onPick(next)
  }

  return (
    <Popover
      label="Set the follow-up"
      control={{ open, onOpenChange: setOpen }}
      align="end"
      className="w-68 p-0"
      trigger={
        <Button size="sm" variant={instant === null ? 'outlined' : 'quiet'} icon={<CalendarPlus />}>
          {instant === null ? 'Set' : 'Change'}
        </Button>
      }
    >
      <ul className="p-1">
        {followUpChoices(clock).map((choice) => (
          <li key={choice.label}>
            <button
              type="button"
              onClick={() => pick(choice.instant)}
              className="flex h-11 w-full items-center justify-between gap-3 rounded-sm px-2 text-left outline-offset-[-2px] hover:bg-hover md:h-8"
            >
              {choice.label}
              <span className="text-fg-3 tabular-nums">{formatShortDate(choice.instant, clock)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Form form={form} className="grid grid-cols-[1fr_auto] items-end gap-2 border-t border-line p-3">
        <Field label="Date" error={form.problems.day} className="col-span-2">
          <DateInput {...form.bind('day')} min={today(clock)} />
        </Field>
        <Field label="Time">
          <TimeInput {...form.bind('time')} />
        </Field>
        <Button type="submit" className="md:h-9">
          Set follow-up
        </Button>
      </Form>
    </Popover>
  )
}
