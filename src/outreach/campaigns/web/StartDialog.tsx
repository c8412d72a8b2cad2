import { useQuery } from '@tanstack/react-query'
import { daysLater, toInstant } from '../../../shared/zoned-time.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput, TimeInput } from '../../../ui/controls/DateInput.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { today } from '../../../ui/format.ts'
import { type CampaignData, useShowCampaign } from './campaign-data.ts'
import { formatCost, formatCount, formatPatients, messageWords } from './labels.ts'

interface Values {
  when: 'now' | 'later'
  day: string
  time: string
}

/** Asks whether to send, now or at a time, with how many receive it and how many are refused. */
export function StartDialog({ campaign, onClose }: { campaign: CampaignData; onClose: () => void }) {
  const clock = useClock()
  const show = useShowCampaign()
  const { id, version, channel } = campaign
  const { one } = messageWords[channel]
  const check = useQuery(orpc.campaigns.check.queryOptions({ input: { id } }))
  const form = useActionForm<Values, CampaignData>({
    initial: { when: 'now', day: daysLater(today(clock), 1), time: '10:00' },
    check: ({ when, day, time }) => ({
      ...(when === 'later' && day === '' && { day: 'Choose a day' }),
      ...(when === 'later' && time === '' && { time: 'Choose a time' }),
    }),
    send: ({ when, day, time }) =>
      client.campaigns.start({ id, version, at: when === 'now' ? null : toInstant({ day, time }, clock.timeZone) }),
    refusals: { INVALID_REFERENCE: 'time' },
    onRefused: (_error, { at, ...rest }) => ({ ...rest, ...(at !== undefined && { time: at }) }),
    done: (_result, { when }) => (when === 'now' ? 'Campaign started' : 'Campaign scheduled'),
    onDone(started) {
      onClose()
      show(started)
    },
  })
  const { values, problems } = form
  const count = check.data?.sendable ?? 0
  return (
    <ActionDialog
      title="Send this campaign?"
      form={form}
      action={{
        label: values.when === 'now' ? `Send to ${formatPatients(count)}` : 'Schedule campaign',
        busyLabel: values.when === 'now' ? 'Starting…' : 'Scheduling…',
        isUnready: !check.data || check.data.problems.length > 0,
      }}
      onClose={onClose}
    >
      <Asked query={check} failed="Couldn’t check the campaign">
        {({ problems: found, sendable, total, texts }) =>
          found.length > 0 ? (
            <Alert tone="danger" title="The campaign can’t be sent yet.">{`${found.join('. ')}.`}</Alert>
          ) : (
            <p className="text-md text-fg-2">
              {formatPatients(sendable)} will receive this {one}
              {total > sendable && `, ${formatCount(total - sendable)} will not`}.
              {texts && texts.cost > 0 && ` It costs about ${formatCost(texts.cost)}.`} Consent is checked again before each {one}.
            </p>
          )
        }
      </Asked>
      <SegmentedControl
        aria-label="When"
        value={values.when}
        onValueChange={(when) => form.set({ when })}
        options={[
          { value: 'now', label: 'Send now' },
          { value: 'later', label: 'Schedule' },
        ]}
      />
      {values.when === 'later' && (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Day" error={problems.day}>
            <DateInput {...form.bind('day')} min={today(clock)} />
          </Field>
          <Field label="Time" error={problems.time}>
            <TimeInput {...form.bind('time')} />
          </Field>
        </div>
      )}
    </ActionDialog>
  )
}
