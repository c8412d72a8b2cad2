import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { formatPhone } from '../../../ui/format.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import type { ConsentData } from './consent-data.ts'
import { type ConsentChannel, type ConsentWay, consentWays } from '../rules.ts'
import { type ChannelChoice, channelChoices, channelsIn, sourceLabels } from './labels.ts'

const maxWordingLength = 2_000

interface RecordDialogProps {
  contactId: string
  /** What is closed to the patient's addresses and phones. */
  state: Pick<ConsentData, 'unsubscribed' | 'text'> | undefined
  channel?: ConsentChannel
  onClose: () => void
}

const verbs: Record<ChannelChoice, string> = { email: 'email', text: 'text', both: 'email and text' }
const list = new Intl.ListFormat('en-CA')

/** Records what a patient agreed to and how consent was given. */
export default function RecordDialog({ contactId, state, channel = 'email', onClose }: RecordDialogProps) {
  const cache = useQueryClient()
  const { name } = usePractice()
  const wordingFor = (chosen: ChannelChoice) => `I would like ${name} to ${verbs[chosen]} me about treatments, events and offers.`
  const form = useActionForm({
    initial: { choice: channel as ChannelChoice, way: 'in_person' as ConsentWay, wording: wordingFor(channel) },
    check: ({ wording }) => ({ wording: wording.trim() === '' ? 'Enter what the patient agreed to' : undefined }),
    send: ({ choice: chosen, ...values }) => client.consent.record({ id: contactId, channels: channelsIn(chosen), ...values }),
    done: 'Consent recorded',
    onDone(state) {
      cache.setQueryData(orpc.consent.get.queryKey({ input: { id: contactId } }), state)
      void cache.invalidateQueries({ queryKey: orpc.contacts.get.key({ input: { id: contactId } }) })
      onClose()
    },
  })
  const { form: problem, ...problems } = form.problems
  const { choice, wording } = form.values
  const stopped = choice === 'email' ? [] : (state?.text.stopped ?? [])
  const reopened = choice === 'email' ? [] : (state?.text.unsubscribed ?? []).filter((phone) => !stopped.includes(phone))
  const unsubscribed = [...(choice === 'text' ? [] : (state?.unsubscribed ?? [])), ...reopened.map(formatPhone)]
  return (
    <ActionDialog
      title="Record consent"
      form={{ ...form, problems }}
      action={{ label: 'Record consent', busyLabel: 'Recording…' }}
      onClose={onClose}
    >
      {problem && (
        <Alert tone="danger" title="Couldn’t record consent">
          {problem}
        </Alert>
      )}
      <Field label="Consent to">
        <Select
          value={choice}
          onValueChange={(next) => next && form.set({ choice: next, ...(wording === wordingFor(choice) && { wording: wordingFor(next) }) })}
          options={channelChoices}
        />
      </Field>
      {unsubscribed.length > 0 && (
        <Alert tone="warning" title={`${list.format(unsubscribed)} unsubscribed.`}>
          Recording consent allows marketing to this address again. Do so only if the patient has asked for it since.
        </Alert>
      )}
      {stopped.length > 0 && (
        <Alert tone="warning" title={`${list.format(stopped.map(formatPhone))} answered STOP.`}>
          No text message reaches this number until its owner texts START to the practice.
        </Alert>
      )}
      <Field label="How it was given">
        <Select {...form.choice('way')} options={consentWays.map((value) => ({ value, label: sourceLabels[value] }))} />
      </Field>
      <Field label="What the patient agreed to" hint="Exact wording shown to the patient." error={problems.wording}>
        <Textarea {...form.text('wording')} rows={4} maxLength={maxWordingLength} />
      </Field>
    </ActionDialog>
  )
}
