import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Workflow } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type StarterKey, starterKeys, starterNames } from '../../starter-rules.ts'
import { emptyDefinition } from '../draft.ts'
import { countOf } from '../labels.ts'
import type { SequenceLine } from '../sequence-data.ts'
import { StateBadge } from '../StateBadge.tsx'

/** Settings, Sequences: what follows up with patients, and how each sequence is doing. */
export function SequencesCard() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const sequences = useQuery(orpc.sequences.list.queryOptions())
  useLive(['sequence'], () => void cache.invalidateQueries({ queryKey: orpc.sequences.list.key() }), { debounceMs: 1000 })
  const [isBusy, setBusy] = useState(false)
  const open = (id: string) => void navigate({ to: '/settings/sequences/$id', params: { id } })
  async function create(starter: StarterKey | null) {
    setBusy(true)
    try {
      const draft = () => client.sequences.create({ name: freeName(sequences.data ?? []), draft: emptyDefinition })
      open((await (starter === null ? draft() : client.sequences.createFromStarter({ starter }))).id)
    } catch (error) {
      toast.error('The sequence was not added', messageOf(error))
      setBusy(false)
    }
  }
  const add = (
    <DropdownMenu
      trigger={
        <Button icon={<Plus />} busy={isBusy}>
          New sequence
        </Button>
      }
    >
      <MenuLabel>Start from</MenuLabel>
      {starterKeys.map((key) => (
        <MenuItem key={key} onSelect={() => void create(key)}>
          {starterNames[key]}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void create(null)}>Empty sequence</MenuItem>
    </DropdownMenu>
  )
  return (
    <Section id="sequences" title="Sequences" actions={sequences.data && sequences.data.length > 0 && add}>
      <Asked query={sequences} failed="Couldn’t load the sequences">
        {(list) =>
          list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 pb-2 text-sm text-fg-2">
                A sequence follows up with patients by itself: it texts, emails and creates tasks, waits in between, and stops when the
                patient replies or books. Each step is logged for each patient.
              </p>
              <ul className="-mx-2">
                {list.map((line) => (
                  <li key={line.id}>
                    <OpenRow onClick={() => open(line.id)} className="py-2">
                      <span className="flex min-w-0 flex-1 flex-col">
                        <span className="max-w-full truncate text-md font-medium text-fg">{line.name}</span>
                        <span className="text-sm text-fg-3">
                          {line.published === null
                            ? 'Not published yet'
                            : `${countOf(line.active, 'patient')} under way · ${line.entered.toLocaleString('en-CA')} entered`}
                          {line.hasChanges && line.published !== null && ' · draft changes'}
                        </span>
                        <HealthText health={line.health} />
                      </span>
                      <StateBadge sequence={line} />
                    </OpenRow>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<Workflow />} title="No sequences yet" actions={add}>
              Follow up with new leads, missed appointments and open quotes without having to remember it. Start from an example, look
              through it, and turn it on.
            </EmptyState>
          )
        }
      </Asked>
    </Section>
  )
}

/** What needs attention. */
function HealthText({ health: { late, failed, isQuiet } }: Pick<SequenceLine, 'health'>) {
  const wrong = [
    late > 0 && `${countOf(late, 'step')} late`,
    failed > 0 && `failed for ${countOf(failed, 'patient')}`,
    isQuiet && 'no one has entered for longer than expected',
  ].filter((part) => part !== false)
  if (wrong.length === 0) return null
  return (
    <span className="pt-0.5">
      <Badge tone="danger" className="h-auto min-h-5 whitespace-normal">
        {wrong.join(', ').replace(/^./, (first) => first.toUpperCase())}
      </Badge>
    </span>
  )
}

function freeName(taken: readonly SequenceLine[]): string {
  const names = new Set(taken.map(({ name }) => name.toLowerCase()))
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'New sequence' : `New sequence ${n}`
    if (!names.has(name.toLowerCase())) return name
  }
}
