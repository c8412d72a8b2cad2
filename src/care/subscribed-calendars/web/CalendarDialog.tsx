import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useNames } from '../../calendar/web/embed/names.ts'
import { calendarMessages } from '../contract.ts'

/** Subscribes to the calendar of a person or a room. */
export default function CalendarDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const names = useNames()
  const form = useActionForm({
    initial: { name: '', url: '', owner: null as string | null },
    check: ({ name, url, owner }) => ({
      name: name.trim() === '' ? calendarMessages.name : undefined,
      owner: owner === null ? calendarMessages.owner : undefined,
      url: url.trim() === '' ? calendarMessages.url : undefined,
    }),
    send: ({ name, url, owner }) => {
      const isRoom = names.rooms.some(({ id }) => id === owner)
      return client.subscribedCalendars.add({ name, url, ownerKind: isRoom ? 'room' : 'person', ownerId: owner! })
    },
    onRefused: (_, { ownerId, ...problems }) => ({ ...problems, ...(ownerId && { owner: ownerId }) }),
    done: 'Calendar added. It is read in a moment.',
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.subscribedCalendars.key() })
      onClose()
    },
  })
  const { problems } = form
  return (
    <ActionDialog title="Add calendar" form={form} action={{ label: 'Add calendar', busyLabel: 'Adding…' }} onClose={onClose}>
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={100} autoComplete="off" />
      </Field>
      <Field label="Whose openings it blocks" error={problems.owner}>
        <Select
          {...form.bind('owner')}
          placeholder="Choose"
          options={[
            ...names.people.map(({ id, fullName }) => ({ value: id, label: fullName })),
            ...names.rooms.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
      <Field
        label="Address"
        error={problems.url}
        hint="The private address (ICS) from the calendar program, such as https://… or webcal://…. Treat it like a password."
      >
        <Input {...form.text('url')} maxLength={2_000} autoComplete="off" spellCheck={false} inputMode="url" />
      </Field>
    </ActionDialog>
  )
}
