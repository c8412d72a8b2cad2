import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { photoMessages } from '../contract.ts'
import { shotListNames, shotLists, timePointNames, timePoints } from '../rules.ts'
import { conflictOf, type StartedSeriesData } from './photo-data.ts'

interface SeriesDialogProps {
  contactId: string
  /** Null starts a new one. */
  series: Omit<StartedSeriesData, 'takenViews'> | null
  /** Suggested for a new one. */
  suggestion: Pick<StartedSeriesData, 'shotList' | 'procedureId'> | null
  procedures: Directory['procedures']
  onSaved: (series: StartedSeriesData) => void
  onClose: () => void
}

/** Starts a series of photos, or changes what it is. */
export default function SeriesDialog({ contactId, series, suggestion, procedures, onSaved, onClose }: SeriesDialogProps) {
  const clock = useClock()
  const form = useActionForm({
    initial: {
      shotList: series?.shotList ?? suggestion?.shotList ?? null,
      timePoint: series?.timePoint ?? null,
      title: series?.title ?? '',
      takenOn: series?.takenOn ?? today(clock),
      technique: series?.technique ?? '',
      procedureId: series ? series.procedureId : (suggestion?.procedureId ?? null),
    },
    check: ({ shotList, timePoint, title }) => ({
      shotList: shotList ? undefined : 'Choose what the photos show',
      timePoint: timePoint ? undefined : 'Choose when the photos are taken',
      title: timePoint === 'other' && !title.trim() ? photoMessages.title : undefined,
    }),
    send({ shotList, timePoint, title, technique, ...rest }) {
      const given = {
        ...rest,
        technique: technique.trim() === '' ? null : technique,
        shotList: shotList!,
        timePoint: timePoint!,
        title: timePoint === 'other' ? title : null,
      }
      if (!series) return client.photos.addSeries({ contactId, ...given })
      return client.photos.changeSeries({ id: series.id, version: series.version, ...given })
    },
    onRefused(error, problems) {
      const current = conflictOf(error)
      if (!current) return problems
      onSaved(current)
      return { form: 'Someone else has changed this series. Close this and open it again.' }
    },
    onDone: onSaved,
  })
  const { problems, values } = form
  return (
    <ActionDialog
      title={series ? 'Edit series' : 'Start a series of photos'}
      form={form}
      action={{ label: series ? 'Save series' : 'Start series', busyLabel: series ? 'Saving…' : 'Starting…' }}
      onClose={onClose}
    >
      <Field label="What the photos show" error={problems.shotList}>
        <Select
          {...form.bind('shotList')}
          placeholder="Choose"
          options={shotListNames.map((value) => {
            const count = shotLists[value].views.length
            return { value, label: count > 0 ? `${shotLists[value].name}, ${count} views` : shotLists[value].name }
          })}
        />
      </Field>
      <Field label="Time" error={problems.timePoint}>
        <Select
          {...form.bind('timePoint')}
          placeholder="Choose"
          options={timePointNames.map((value) => ({ value, label: timePoints[value] }))}
        />
      </Field>
      {values.timePoint === 'other' && (
        <Field label="Name" error={problems.title}>
          <Input {...form.text('title')} maxLength={60} autoComplete="off" />
        </Field>
      )}
      <Field label="Taken on" error={problems.takenOn}>
        <DateInput {...form.bind('takenOn')} max={today(clock)} />
      </Field>
      <Field label="Procedure" optional error={problems.procedureId}>
        <Select
          {...form.bind('procedureId')}
          noneLabel="None"
          options={procedures
            .filter(({ id, isActive }) => isActive || id === values.procedureId)
            .map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field label="Technique" optional hint="Shown in the gallery and on the website: open, endoscopic." error={problems.technique}>
        <Input {...form.text('technique')} maxLength={60} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
