import { ClosedDaysCard } from '../../../outreach/sequences/web/embed/ClosedDaysCard.tsx'
import { HoursCard } from '../../practice-settings/web/embed/HoursCard.tsx'
import { RoomsCard } from '../../practice-settings/web/embed/RoomsCard.tsx'

/** The practice hours, closed days and rooms. */
export function HoursAndRooms() {
  return (
    <div className="flex flex-col gap-8">
      <HoursCard />
      <ClosedDaysCard />
      <RoomsCard />
    </div>
  )
}
