experiment { variants = {} }
