import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { photoUseMessages } from '../contract.ts'
import { purposes, useLimits } from '../rules.ts'
import type { PatientUsesData } from './use-data.ts'

interface WithdrawPhotoConsentDialogProps {
  consentId: string
  /** All of the patient. */
  data: PatientUsesData
  onDone: (uses: PatientUsesData) => void
  onClose: () => void
}

/** Records that a patient withdrew a consent that was recorded apart. What it allowed ends at once. */
export default function WithdrawPhotoConsentDialog({ consentId, data, onDone, onClose }: WithdrawPhotoConsentDialogProps) {
  const clock = useClock()
  const form = useActionForm({
    initial: { on: today(clock), by: '' },
    check: ({ on, by }) => ({
      on: on === '' ? 'Enter the day on which it was withdrawn' : undefined,
      by: by.trim() ? undefined : photoUseMessages.by,
    }),
    send: (values) => client.photoUses.withdrawConsent({ id: consentId, ...values }),
    done: 'Withdrawal recorded',
    onDone(uses) {
      onDone(uses)
      guard.leave(onClose)
    },
  })
  const guard = useUnsavedGuard(() => form.isDirty)
  return (
    <ActionDialog
      title="Record withdrawal of this consent?"
      description={`${describeEnd(consentId, data)} This can’t be undone.`}
      form={form}
      action={{ label: 'Record withdrawal', busyLabel: 'Recording…', isDanger: true }}
      onClose={() => guard.close(onClose)}
    >
      <Field label="By whom" hint="For example: the patient, by phone." error={form.problems.by}>
        <Input {...form.text('by')} maxLength={useLimits.name} autoComplete="off" />
      </Field>
      <Field label="Withdrawn on" error={form.problems.on}>
        <DateInput value={form.values.on} max={today(clock)} onValueChange={(on) => form.set({ on })} />
      </Field>
      {guard.dialog}
    </ActionDialog>
  )
}

/** 'Website: 8 uses of 4 photos end. Galleries, the website and links stop showing them at once.' What Refyne cannot reach becomes a task. */
function describeEnd(consentId: string, { consents, uses }: PatientUsesData): string {
  const names = consents.filter(({ id }) => id === consentId).map(({ purpose }) => purposes[purpose])
  const ended = uses.filter((use) => use.consentId === consentId && use.isLive)
  const photos = new Set(ended.map(({ photoId }) => photoId)).size
  const count = (many: number, one: string) => `${many} ${one}${many === 1 ? '' : 's'}`
  const what =
    ended.length === 0
      ? 'no photo is used now.'
      : [
          `${count(ended.length, 'use')} of ${count(photos, 'photo')} ${ended.length === 1 ? 'ends' : 'end'}.`,
          ended.some(({ place }) => place === null) && 'Galleries, the website and links stop showing them at once.',
          ended.some(({ place }) => place !== null) && 'Staff get a task to remove what was posted.',
        ]
          .filter(Boolean)
          .join(' ')
  return `${new Intl.ListFormat('en-CA').format(names)}: ${what}`
}
