import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarOff, CalendarPlus, ClipboardPaste, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { formatDay, today } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type ClosedDay, maxClosedDays, ontarioHolidays, readClosedDays, withDays } from '../../holiday-rules.ts'
import { countOf } from '../labels.ts'

/** Settings, Hours and rooms: holidays and other days on which the practice is closed. Waits of working days leave them out. */
export function ClosedDaysCard() {
  const cache = useQueryClient()
  const now = today(useClock())
  const mayChange = usePermission()('sequences.setClosedDays')
  const closed = useQuery(orpc.sequences.closedDays.queryOptions())
  const [shown, setShown] = useState<'add' | 'paste' | null>(null)
  useLive(['practice'], () => void cache.invalidateQueries({ queryKey: orpc.sequences.closedDays.key() }), { debounceMs: 300 })

  async function save(days: ClosedDay[]): Promise<void> {
    await client.sequences.setClosedDays({ days })
    cache.setQueryData(orpc.sequences.closedDays.queryKey(), days)
  }
  async function change(days: ClosedDay[], done: () => void) {
    try {
      await save(days)
      done()
    } catch (error) {
      toast.error('The closed days were not changed', messageOf(error))
    }
  }
  const year = Number(now.slice(0, 4))
  const known = closed.data ?? []
  const addHolidays = (of: number) => {
    const days = withDays(known, ontarioHolidays(of))
    const count = days.length - known.length
    void change(days, () =>
      toast.success(
        count === 0 ? `The public holidays of ${of} are in the list already` : `${countOf(count, 'public holiday')} of ${of} added`,
      ),
    )
  }
  const remove = (one: ClosedDay) =>
    void change(
      known.filter(({ day }) => day !== one.day),
      () =>
        toast.undoable(
          `${one.name} removed`,
          () => void change(withDays(cache.getQueryData(orpc.sequences.closedDays.queryKey()) ?? [], [one]), () => undefined),
        ),
    )
  const add = mayChange && (
    <DropdownMenu trigger={<Button icon={<Plus />}>Add closed days</Button>}>
      <MenuItem icon={<Plus />} onSelect={() => setShown('add')}>
        A day
      </MenuItem>
      <MenuItem icon={<ClipboardPaste />} onSelect={() => setShown('paste')}>
        Paste a list
      </MenuItem>
      {[year, year + 1].map((of) => (
        <MenuItem key={of} icon={<CalendarPlus />} onSelect={() => addHolidays(of)}>
          Ontario’s public holidays of {of}
        </MenuItem>
      ))}
    </DropdownMenu>
  )
  return (
    <Section id="closed-days" title="Closed days" actions={known.length > 0 && add}>
      <Asked query={closed} failed="Couldn’t load the closed days">
        {(days) => {
          const upcoming = days.filter(({ day }) => day >= now)
          const past = days.length - upcoming.length
          return days.length === 0 ? (
            <EmptyState icon={<CalendarOff />} title="No closed days yet" actions={add || undefined}>
              Holidays and other days on which the practice is closed. Waits of working days in sequences leave them out.
            </EmptyState>
          ) : (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                Waits of working days in sequences leave these days out.{!mayChange && ' Administrators can change them.'}
                {past > 0 && ` ${countOf(past, 'day')} in the past ${past === 1 ? 'is' : 'are'} not shown.`}
              </p>
              <ul aria-label="Closed days" className="pt-2">
                {upcoming.map((one) => (
                  <li key={one.day} className="flex min-h-11 items-center gap-4 border-b border-line text-sm md:min-h-9">
                    <span className="w-29 flex-none text-fg-2 tabular-nums">{formatDay(one.day)}</span>
                    <span className="min-w-0 flex-1 truncate text-fg">{one.name}</span>
                    {mayChange && (
                      <IconButton label={`Remove ${one.name}, ${formatDay(one.day)}`} size="sm" icon={<X />} onClick={() => remove(one)} />
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Asked>
      {shown === 'add' && <AddDayDialog known={known} onSave={save} onClose={() => setShown(null)} />}
      {shown === 'paste' && <PasteDialog known={known} onSave={save} onClose={() => setShown(null)} />}
    </Section>
  )
}

interface ClosedDaysDialogProps {
  known: readonly ClosedDay[]
  onSave: (days: ClosedDay[]) => Promise<void>
  onClose: () => void
}

function AddDayDialog({ known, onSave, onClose }: ClosedDaysDialogProps) {
  const form = useActionForm({
    initial: { day: '', name: '' },
    check: ({ day, name }) => ({
      day: day === '' ? 'Enter a date' : known.some((one) => one.day === day) ? 'This day is in the list already' : undefined,
      name: name.trim() === '' ? 'Enter a name' : undefined,
    }),
    send: ({ day, name }) => onSave(withDays(known, [{ day, name: name.trim() }])),
    done: 'Closed day added',
    onDone: onClose,
  })
  return (
    <ActionDialog title="Add closed day" form={form} action={{ label: 'Add closed day', busyLabel: 'Adding…' }} onClose={onClose}>
      <Field label="Date" error={form.problems.day}>
        <DateInput data-autofocus {...form.bind('day')} />
      </Field>
      <Field label="Name" error={form.problems.name}>
        <Input {...form.text('name')} maxLength={100} autoComplete="off" placeholder="Summer holiday" />
      </Field>
    </ActionDialog>
  )
}

function PasteDialog({ known, onSave, onClose }: ClosedDaysDialogProps) {
  const form = useActionForm({
    initial: { text: '' },
    check({ text }) {
      const read = readClosedDays(text)
      if ('wrong' in read) return { text: `“${read.wrong}” does not begin with a date such as 2026-12-24` }
      if (read.days.length === 0) return { text: 'Paste at least one day' }
      return { text: withDays(known, read.days).length > maxClosedDays ? `Use at most ${maxClosedDays} days in all` : undefined }
    },
    async send({ text }) {
      const read = readClosedDays(text)
      const days = withDays(known, 'days' in read ? read.days : [])
      await onSave(days)
      return days.length - known.length
    },
    done: (count) => `${countOf(count, 'closed day')} added`,
    onDone: onClose,
  })
  return (
    <ActionDialog title="Paste closed days" form={form} action={{ label: 'Add days', busyLabel: 'Adding…' }} onClose={onClose}>
      <Field label="Days" hint="One day on a line, then its name: 2026-12-24 Christmas Eve" error={form.problems.text}>
        <Textarea data-autofocus {...form.text('text')} rows={8} spellCheck={false} />
      </Field>
    </ActionDialog>
  )
}
