import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Syringe } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import type { Procedure } from '../../contract.ts'
import { ProcedureDot } from './ProcedureDots.tsx'

const ProcedureDialog = lazyDialog(
  () => import('../ProcedureDialog.tsx'),
  ({ onClose }) => onClose(),
)

const InstructionsDialog = lazyDialog(
  () => import('../InstructionsDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The settings card of the practice's procedures, with default price and duration. */
export function ProceduresCard() {
  const cache = useQueryClient()
  const procedures = useQuery(orpc.procedures.list.queryOptions())
  useLive(['vocabulary'], () => void cache.invalidateQueries({ queryKey: orpc.procedures.key() }), { debounceMs: 300 })
  /** The id of the procedure in the dialog, or 'new'. */
  const [open, setOpen] = useState<string | null>(null)
  /** The id of the procedure whose instructions are edited. */
  const [instructed, setInstructed] = useState<string | null>(null)
  const read = procedures.data?.find(({ id }) => id === instructed)
  const shown = procedures.data?.find(({ id }) => id === open)
  const inOrder = (procedures.data ?? []).toSorted((a, b) => Number(b.isActive) - Number(a.isActive))
  const add = (
    <Button icon={<Plus />} onPointerEnter={ProcedureDialog.prepare} onClick={() => setOpen('new')}>
      Add procedure
    </Button>
  )
  return (
    <Section id="procedures" title="Procedures" actions={inOrder.length > 0 && add}>
      <Asked query={procedures} failed="Couldn’t load procedures">
        {() =>
          inOrder.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                New quotes start from the price list of the procedure, and new bookings from its duration. Existing quotes and bookings do
                not change. Patients read the instructions in the portal.
              </p>
              <ul aria-label="Procedures" className="-ml-2 pt-3">
                {inOrder.map((procedure) => (
                  <li
                    key={procedure.id}
                    className="flex items-center gap-1 max-md:flex-wrap max-md:border-b max-md:border-line max-md:py-2"
                  >
                    <OpenRow
                      onPointerEnter={ProcedureDialog.prepare}
                      onFocus={ProcedureDialog.prepare}
                      onClick={() => setOpen(procedure.id)}
                    >
                      <ProcedureLine procedure={procedure} />
                    </OpenRow>
                    <Button
                      size="sm"
                      variant="quiet"
                      aria-label={`Instructions for ${procedure.name}`}
                      onPointerEnter={InstructionsDialog.prepare}
                      onClick={() => setInstructed(procedure.id)}
                    >
                      Instructions
                    </Button>
                    <Button asChild size="sm" variant="quiet">
                      <Link
                        to="/settings/$section/$item"
                        params={{ section: 'procedures', item: procedure.id }}
                        aria-label={`Price list of ${procedure.name}`}
                      >
                        Price list
                      </Link>
                    </Button>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<Syringe />} title="No procedures yet" actions={add}>
              Add what patients come for, with a default price and duration.
            </EmptyState>
          )
        }
      </Asked>
      {read && <InstructionsDialog key={read.id} procedure={read} onClose={() => setInstructed(null)} />}
      {(open === 'new' || shown) && <ProcedureDialog key={open} procedure={shown ?? null} onClose={() => setOpen(null)} />}
    </Section>
  )
}

function ProcedureLine({ procedure: { name, colour, priceCents, minutes, isSurgical, isActive } }: { procedure: Procedure }) {
  const facts = [isSurgical ? 'Surgical' : 'Not surgical', minutes !== null && `${minutes} min`].filter(Boolean)
  return (
    <>
      <ProcedureDot colour={colour} />
      <span className="min-w-0 flex-1">
        <span className={cn('block truncate text-md font-medium', isActive ? 'text-fg' : 'text-fg-3')}>{name}</span>
        <span className="block truncate text-sm text-fg-3 tabular-nums">{facts.join(' · ')}</span>
      </span>
      {!isActive && <Badge>Not offered</Badge>}
      <span className={cn('flex-none text-sm tabular-nums', priceCents === null ? 'text-fg-3' : 'text-fg-2')}>
        {priceCents === null ? 'No price' : formatMoney(priceCents)}
      </span>
    </>
  )
}
