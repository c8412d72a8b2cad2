import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, Plus } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { starterNames, type StarterKey } from '../../starter-rules.ts'
import type { TemplateLineData } from '../form-data.ts'

/** Settings, Forms: what can be sent to patients; each opens in its editor. */
export function FormsCard() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const templates = useQuery(orpc.forms.templates.queryOptions())
  const [isBusy, setBusy] = useState(false)
  useLive(['form-template'], () => void cache.invalidateQueries({ queryKey: orpc.forms.templates.key() }), { debounceMs: 300 })
  const open = (id: string) => void navigate({ to: '/settings/$section/$item', params: { section: 'forms', item: id } })
  async function create(starter: StarterKey | null) {
    setBusy(true)
    try {
      open((await client.forms.createTemplate({ starter })).id)
    } catch (error) {
      toast.error('The form was not added', messageOf(error))
      setBusy(false)
    }
  }
  const add = (
    <DropdownMenu
      trigger={
        <Button icon={<Plus />} busy={isBusy}>
          New form
        </Button>
      }
    >
      <MenuLabel>Start from</MenuLabel>
      {Object.entries(starterNames).map(([key, name]) => (
        <MenuItem key={key} onSelect={() => void create(key as StarterKey)}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void create(null)}>Empty form</MenuItem>
    </DropdownMenu>
  )
  return (
    <Section id="forms" title="Forms" actions={templates.data && templates.data.length > 0 && add}>
      <Asked query={templates} failed="Couldn’t load the forms">
        {(list) =>
          list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 pb-2 text-sm text-fg-2">
                Patients fill these in before a visit, in English or French. A form that was sent keeps the version that it was sent with.
              </p>
              <ul className="-mx-2">
                {list.map((line) => (
                  <li key={line.id}>
                    <TemplateRow line={line} onOpen={() => open(line.id)} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<ClipboardList />} title="No forms yet" actions={add}>
              Start from a medical history, an anaesthesia questionnaire or another example, adapt it, and publish it.
            </EmptyState>
          )
        }
      </Asked>
    </Section>
  )
}

function TemplateRow({ line, onOpen }: { line: TemplateLineData; onOpen: () => void }) {
  const { timeZone } = useClock()
  const questions = line.questionCount === 1 ? '1 question' : `${line.questionCount} questions`
  const published =
    line.publishedNumber === null || line.publishedAt === null
      ? 'not published yet'
      : `version ${line.publishedNumber} of ${formatDate(line.publishedAt, timeZone)}`
  return (
    <OpenRow onClick={onOpen}>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="max-w-full truncate text-md font-medium text-fg">{line.title.en || 'Untitled form'}</span>
        <span className="max-w-full truncate text-sm text-fg-3">
          {questions} · {published}
        </span>
      </span>
      {!line.isActive ? (
        <Badge>Inactive</Badge>
      ) : line.hasDraft ? (
        <Badge tone="warning">{line.publishedNumber === null ? 'Draft' : 'Unpublished changes'}</Badge>
      ) : (
        <Badge tone="success">Published</Badge>
      )}
    </OpenRow>
  )
}
