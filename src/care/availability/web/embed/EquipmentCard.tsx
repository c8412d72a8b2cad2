import { MonitorCog, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocations } from '../../../../platform/practice/web/embed/usePractice.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { type EquipmentData, useEquipment, useLiveAvailability } from './useAvailability.ts'

const EquipmentDialog = lazyDialog(
  () => import('../EquipmentDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Settings, Equipment: what visits need besides people and rooms. */
export function EquipmentCard() {
  const equipment = useEquipment()
  useLiveAvailability()
  const mayChange = usePermission()('availability.addEquipment')
  /** 'new' to add some. */
  const [open, setOpen] = useState<EquipmentData | 'new' | null>(null)
  const add = mayChange && (
    <Button icon={<Plus />} onPointerEnter={EquipmentDialog.prepare} onClick={() => setOpen('new')}>
      Add equipment
    </Button>
  )
  return (
    <Section id="equipment" title="Equipment" actions={equipment.data && equipment.data.length > 0 && add}>
      <Asked query={equipment} failed="Couldn’t load the equipment">
        {(list) =>
          list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                Choose in each visit type what it needs. A visit is then offered only where a piece is free, and reserves it.
                {!mayChange && ' Administrators can change equipment.'}
              </p>
              <ul aria-label="Equipment" className="-mx-2 pt-2">
                {list.map((one) => (
                  <li key={one.id} className="flex items-center">
                    {mayChange ? (
                      <OpenRow onPointerEnter={EquipmentDialog.prepare} onFocus={EquipmentDialog.prepare} onClick={() => setOpen(one)}>
                        <Line equipment={one} />
                      </OpenRow>
                    ) : (
                      <div className="flex min-h-11 min-w-0 flex-1 items-center gap-3 px-2 py-1.5">
                        <Line equipment={one} />
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<MonitorCog />} title="No equipment yet" actions={add || undefined}>
              Add what several visits share, such as a laser. No two visits then get the same piece at the same time.
              {!mayChange && ' Administrators can add it.'}
            </EmptyState>
          )
        }
      </Asked>
      {open && <EquipmentDialog equipment={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

function Line({ equipment: { name, isActive, units } }: { equipment: EquipmentData }) {
  const locations = useLocations().data ?? []
  const nameOf = (id: string) => locations.find((one) => one.id === id)?.name ?? 'a former location'
  const counts = units.map(({ locationId, count }) => {
    const pieces = count === 1 ? '1 piece' : `${count} pieces`
    return locations.length > 1 ? `${pieces} at ${nameOf(locationId)}` : pieces
  })
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className={`block truncate text-md font-medium ${isActive ? 'text-fg' : 'text-fg-3'}`}>{name}</span>
        <span className="block truncate text-sm text-fg-3">{counts.length > 0 ? counts.join(' · ') : 'No pieces'}</span>
      </span>
      {!isActive && <Badge>Inactive</Badge>}
    </>
  )
}
