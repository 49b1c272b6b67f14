import { useEffect } from 'react'

const OPEN = 'details.menu[open]'

/** Menus close after a choice, with Escape, and when something else is pressed or focused. */
export function useMenus(): void {
  useEffect(() => {
    const closeOthers = ({ target }: Event): void => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN))
        if (!menu.contains(target as Node)) menu.open = false
    }
    const closeChosen = ({ target }: Event): void => {
      const choice = (target as Element).closest(`${OPEN} > .menu-body :is(button, a)`)
      const menu = choice?.closest<HTMLDetailsElement>(OPEN)
      if (menu != null) menu.open = false
    }
    const closeByKey = ({ key }: KeyboardEvent): void => {
      const menu = document.activeElement?.closest<HTMLDetailsElement>(OPEN)
      if (key !== 'Escape' || menu == null) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', closeOthers)
    document.addEventListener('focusin', closeOthers)
    document.addEventListener('click', closeChosen)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOthers)
      document.removeEventListener('focusin', closeOthers)
      document.removeEventListener('click', closeChosen)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [])
}
