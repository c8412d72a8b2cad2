/** What there is for a file to be shown in, in px. */
export interface RoomSize {
  width: number
  height: number
}
