import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { recallLimits } from '../contract.ts'
import { answers } from '../rules.ts'
import { answerLabels, type Way, wayLabels } from './labels.ts'
import type { RecallPatientData } from './recall-data.ts'

const ways = (Object.keys(wayLabels) as Way[]).map((value) => ({ value, label: wayLabels[value] }))

/** Records a call or a conversation, and what came of it. */
export default function AnswerDialog({ patient, onClose }: { patient: RecallPatientData; onClose: () => void }) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: { way: 'phone reached' as Way | null, answer: patient.answer, note: '' },
    send: async ({ way, answer, note }) => {
      const [channel, state] = (way?.split(' ') ?? []) as ['phone' | 'in_person', 'reached' | 'no_answer']
      if (way) await client.recalls.addAttempt({ id: patient.id, channel, state, note: note || null })
      if (answer !== patient.answer)
        await client.recalls.setAnswer({ id: patient.id, version: patient.version, answer, note: note || null })
    },
    done: 'Answer saved',
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.recalls.key() })
      guard.leave(onClose)
    },
  })
  const guard = useUnsavedGuard(() => form.values.note.trim() !== '')
  const { problems } = form
  return (
    <ActionDialog
      title="Record answer"
      description={`${patient.firstName} ${patient.lastName}`}
      form={form}
      action={{ label: 'Save answer' }}
      onClose={() => guard.close(onClose)}
    >
      <Field label="Attempt" error={problems.channel ?? problems.state}>
        <Select {...form.bind('way')} noneLabel="No new attempt" options={ways} />
      </Field>
      <Field label="Answer" error={problems.answer}>
        <Select {...form.choice('answer')} options={answers.map((value) => ({ value, label: answerLabels[value] }))} />
      </Field>
      <Field label="Note" optional error={problems.note}>
        <Textarea {...form.text('note')} rows={3} maxLength={recallLimits.note} />
      </Field>
      {guard.dialog}
    </ActionDialog>
  )
}
