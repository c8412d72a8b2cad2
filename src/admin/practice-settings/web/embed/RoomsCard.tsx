import { DoorOpen, Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { kindLabels } from '../../../../platform/practice/web/embed/labels.ts'
import { type RoomData, useLivePractice, useRooms } from '../../../../platform/practice/web/embed/usePractice.ts'

const RoomDialog = lazyDialog(
  () => import('../RoomDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The rooms, with a dialog to add and edit them. */
export function RoomsCard() {
  const rooms = useRooms()
  useLivePractice()
  const mayChange = usePermission()('practice.addRoom')
  /** 'new' to add a room. */
  const [open, setOpen] = useState<RoomData | 'new' | null>(null)
  const addButton = mayChange && (
    <Button icon={<Plus />} onPointerEnter={RoomDialog.prepare} onClick={() => setOpen('new')}>
      Add room
    </Button>
  )
  return (
    <Section id="rooms" title="Rooms" actions={rooms.data && rooms.data.length > 0 && addButton}>
      <Asked query={rooms} failed="Couldn’t load the rooms">
        {(list) =>
          list.length > 0 ? (
            <ul className="-mx-2 pt-2">
              {list.map((room) => (
                <li key={room.id}>
                  {mayChange ? (
                    <OpenRow onPointerEnter={RoomDialog.prepare} onFocus={RoomDialog.prepare} onClick={() => setOpen(room)}>
                      <RoomLine room={room} />
                    </OpenRow>
                  ) : (
                    <div className="flex min-h-11 items-center gap-3 px-2 py-1.5">
                      <RoomLine room={room} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState icon={<DoorOpen />} title="No rooms yet" actions={addButton || undefined}>
              Add the rooms where patients are seen and operated on. A room takes one appointment at a time.
              {!mayChange && ' Administrators can add them.'}
            </EmptyState>
          )
        }
      </Asked>
      {open && <RoomDialog room={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

function RoomLine({ room: { name, kind, location, isActive } }: { room: RoomData }) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className={`block truncate text-md font-medium ${isActive ? 'text-fg' : 'text-fg-3'}`}>{name}</span>
        <span className="block truncate text-sm text-fg-3">{[kindLabels[kind], location].filter(Boolean).join(' · ')}</span>
      </span>
      {!isActive && <Badge>Inactive</Badge>}
    </>
  )
}
