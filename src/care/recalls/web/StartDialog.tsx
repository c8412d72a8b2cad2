import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { useDebounced } from '../../../ui/hooks/useDebounced.ts'
import { deviceLimits } from '../../devices/contract.ts'
import { formatPieces } from '../../devices/web/embed/labels.ts'
import { recallLimits, recallMessages } from '../contract.ts'
import { isEmptyRange } from '../rules.ts'
import type { RecallData } from './recall-data.ts'

/** Whether a range that is typed ends before it begins. */
const isReversed = (from: string, to: string): boolean => from.trim() !== '' && to.trim() !== '' && isEmptyRange(from.trim(), to.trim())

interface StartDialogProps {
  onClose: () => void
  onStarted: (recall: RecallData) => void
}

/** Starts a recall: what it covers, with who is affected as it is typed, and what patients read. */
export default function StartDialog({ onClose, onStarted }: StartDialogProps) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: { title: '', maker: '', model: '', lotFrom: '', lotTo: '', serialFrom: '', serialTo: '', messageEn: '', messageFr: '' },
    check: ({ title, maker, lotFrom, lotTo, serialFrom, serialTo, messageEn, messageFr }) => ({
      title: title.trim() === '' ? recallMessages.title : undefined,
      maker: maker.trim() === '' ? recallMessages.maker : undefined,
      lotFrom: lotTo.trim() !== '' && lotFrom.trim() === '' ? recallMessages.range : undefined,
      serialFrom: serialTo.trim() !== '' && serialFrom.trim() === '' ? recallMessages.range : undefined,
      lotTo: isReversed(lotFrom, lotTo) ? recallMessages.emptyRange : undefined,
      serialTo: isReversed(serialFrom, serialTo) ? recallMessages.emptyRange : undefined,
      messageEn: messageEn.trim() === '' ? recallMessages.message : undefined,
      messageFr: messageFr.trim() === '' ? recallMessages.message : undefined,
    }),
    send: (given) => client.recalls.start(given),
    done: ({ progress }) => `Recall started for ${formatPatients(progress.patients)}`,
    onDone(recall) {
      void cache.invalidateQueries({ queryKey: orpc.recalls.key() })
      guard.leave(onClose)
      onStarted(recall)
    },
  })
  const { problems, values } = form
  const guard = useUnsavedGuard(() => form.isDirty)
  const settled = useDebounced(values, 300)
  const { maker, model, lotFrom, lotTo, serialFrom, serialTo } = settled
  const hasRanges = [
    [lotFrom, lotTo],
    [serialFrom, serialTo],
  ].every(([from, to]) => to!.trim() === '' || (from!.trim() !== '' && !isReversed(from!, to!)))
  const isAsked = maker.trim() !== '' && hasRanges
  const found = useQuery(
    orpc.recalls.find.queryOptions({ input: { maker, model, lotFrom, lotTo, serialFrom, serialTo, limit: 5 }, enabled: isAsked }),
  ).data
  // A typing error would look like a maker whose implants no one has.
  const devices = useQuery(orpc.devices.list.queryOptions({ input: { limit: 100 } })).data?.data ?? []
  const makers = useSuggestions(devices.map((device) => device.maker))
  const models = useSuggestions(devices.filter((device) => maker === '' || device.maker === maker).map((device) => device.model))
  const isFound = isAsked && found !== undefined && (found.total > 0 || found.inStock > 0)
  // The number of patients is seen before a recall is started.
  const isCounting = isAsked && (found === undefined || settled !== values)
  return (
    <ActionDialog
      title="Start recall"
      form={form}
      action={{
        isUnready: isCounting,
        label: found && found.total > 0 ? `Start recall for ${formatPatients(found.total)}` : 'Start recall',
        busyLabel: 'Starting…',
      }}
      onClose={() => guard.close(onClose)}
    >
      <Field label="Title" error={problems.title} hint="For example: the Health Canada recall number.">
        <Input {...form.text('title')} maxLength={recallLimits.title} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Maker" error={problems.maker} className="max-sm:col-span-2">
          <Input {...form.text('maker')} maxLength={deviceLimits.maker} autoComplete="off" list={makers.id} />
        </Field>
        <Field label="Model" optional error={problems.model} className="max-sm:col-span-2">
          <Input {...form.text('model')} maxLength={deviceLimits.model} autoComplete="off" list={models.id} />
        </Field>
        <Field label="Lots from" optional error={problems.lotFrom}>
          <Input {...form.text('lotFrom')} maxLength={deviceLimits.lot} autoComplete="off" />
        </Field>
        <Field label="Lots to" optional error={problems.lotTo}>
          <Input {...form.text('lotTo')} maxLength={deviceLimits.lot} autoComplete="off" />
        </Field>
        <Field label="Serials from" optional error={problems.serialFrom}>
          <Input {...form.text('serialFrom')} maxLength={deviceLimits.serial} autoComplete="off" />
        </Field>
        <Field label="Serials to" optional error={problems.serialTo}>
          <Input {...form.text('serialTo')} maxLength={deviceLimits.serial} autoComplete="off" />
        </Field>
      </div>
      {makers.list}
      {models.list}
      {/* As high as its longest text, so that the fields below stay in place. */}
      <Alert tone={isFound ? 'warning' : 'info'} className="min-h-26 flex-none items-start sm:min-h-21">
        {!hasRanges ? (
          'Complete the lots or serial numbers to see how many patients have such an implant.'
        ) : !isAsked ? (
          'Enter the maker to see how many patients have such an implant, and how many pieces are in stock.'
        ) : !found ? (
          'Looking for patients with such an implant…'
        ) : !isFound ? (
          'No patient has such an implant, and none is in stock. If you expected some, check the spelling. Pieces that arrive later will be refused at the scan.'
        ) : (
          <>
            {found.total === 0 ? 'No patient' : formatPatients(found.total)} {found.total > 1 ? 'have' : 'has'} such an implant, and{' '}
            {found.inStock === 0 ? 'none' : formatPieces(found.inStock)} {found.inStock > 1 ? 'are' : 'is'} in stock.{' '}
            {found.total > 0 && 'Each patient gets one letter, and one email that names no implant. '}
            Such pieces will be refused at the scan.
          </>
        )}
      </Alert>
      <Field label="Message in English" error={problems.messageEn} hint="The text of the letter.">
        <Textarea {...form.text('messageEn')} rows={4} maxLength={recallLimits.message} />
      </Field>
      <Field label="Message in French" error={problems.messageFr}>
        <Textarea {...form.text('messageFr')} rows={4} maxLength={recallLimits.message} lang="fr" />
      </Field>
      {guard.dialog}
    </ActionDialog>
  )
}

/** The different values, as suggestions of a field. */
function useSuggestions(values: readonly string[]) {
  const id = useId()
  const list = (
    <datalist id={id}>
      {[...new Set(values)].map((value) => (
        <option key={value}>{value}</option>
      ))}
    </datalist>
  )
  return { id, list }
}

const formatPatients = (count: number): string => `${count.toLocaleString('en-CA')} ${count === 1 ? 'patient' : 'patients'}`
