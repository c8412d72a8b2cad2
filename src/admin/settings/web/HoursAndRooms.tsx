import { HoursCard } from '../../practice-settings/web/embed/HoursCard.tsx'
import { RoomsCard } from '../../practice-settings/web/embed/RoomsCard.tsx'

/** The practice hours and rooms. */
export function HoursAndRooms() {
  return (
    <div className="flex flex-col gap-8">
      <HoursCard />
      <RoomsCard />
    </div>
  )
}
