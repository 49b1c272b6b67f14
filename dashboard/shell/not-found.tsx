import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/panel.tsx'

/** A page that does not exist. */
export function NotFound() {
  return (
    <Empty title="There is no such page." heading>
      <Link to="/">To the overview</Link>
    </Empty>
  )
}
