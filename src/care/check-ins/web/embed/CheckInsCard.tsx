import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { formatDays } from '../check-in-labels.ts'

const ScheduleDialog = lazyDialog(
  () => import('../ScheduleDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The settings card of check-ins: for each surgical procedure, the form and the days. For administrators. */
export function CheckInsCard() {
  const cache = useQueryClient()
  const isAllowed = usePermission()('checkIns.schedules')
  const schedules = useQuery(orpc.checkIns.schedules.queryOptions({ enabled: isAllowed }))
  const procedures = useQuery(orpc.procedures.list.queryOptions())
  const templates = useQuery(orpc.forms.templates.queryOptions({ enabled: isAllowed }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.checkIns.key() })
  useLive(['vocabulary'], refresh, { debounceMs: 300 })
  const [openId, setOpenId] = useState<string | null>(null)
  if (!isAllowed) return null
  const published = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null) ?? []
  const surgical = procedures.data?.filter(({ isSurgical, isActive }) => isSurgical && isActive) ?? []
  const opened = surgical.find(({ id }) => id === openId)
  const scheduleOf = (id: string) => schedules.data?.find(({ procedureId }) => procedureId === id) ?? null
  const titleOf = (id: string) => templates.data?.find((template) => template.id === id)?.title.en
  return (
    <Section id="check-ins" title="Check-ins after surgery" className="pt-8">
      <Asked query={schedules} failed="Couldn’t load the check-ins">
        {() => (
          <>
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              Patients get an email on set days after a completed surgery, with a few questions in English or French. The questions are a
              form under{' '}
              <Link to="/settings/$section" params={{ section: 'forms' }} className="text-accent-fg underline underline-offset-2">
                Forms
              </Link>
              : start with “Check-in after surgery”.
            </p>
            <ul aria-label="Check-ins by procedure" className="pt-3">
              {surgical.map((procedure) => {
                const schedule = scheduleOf(procedure.id)
                return (
                  <li key={procedure.id} className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-sm">
                    <span className="min-w-0 flex-1">
                      <span className="block font-medium text-fg">{procedure.name}</span>
                      <span className="block text-xs text-fg-3 tabular-nums">
                        {schedule ? `${formatDays(schedule.days)} · ${titleOf(schedule.templateId) ?? 'Form'}` : <None>Not asked</None>}
                      </span>
                    </span>
                    <Button size="sm" aria-label={`Edit check-ins after ${procedure.name}`} onClick={() => setOpenId(procedure.id)}>
                      {schedule ? 'Edit' : 'Set up'}
                    </Button>
                  </li>
                )
              })}
            </ul>
            {procedures.data && surgical.length === 0 && (
              <p className="py-4 text-sm text-fg-2">No surgical procedures yet. Add one above.</p>
            )}
          </>
        )}
      </Asked>
      {opened && (
        <ScheduleDialog
          procedure={opened}
          schedule={scheduleOf(opened.id)}
          forms={published}
          onDone={() => {
            setOpenId(null)
            refresh()
          }}
          onClose={() => setOpenId(null)}
        />
      )}
    </Section>
  )
}
